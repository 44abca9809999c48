"""What the networks learn from; these tests need what ``make cards-model`` installs."""

import io

import numpy as np
import pytest
from PIL import Image

from scorekeeper.camera.indices import REACH, STRIDE, Index
from scorekeeper.camera.indices import patches as seen
from tools.cardvision.labels import Label

UPRIGHT = np.array([0.0, -1.0])
SEVEN = Label(0, "7H", (300.0, 200.0), (0.0, -1.0), 40.0, 1.0, (350.0, 330.0))


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def patches(torch):
    from tools.cardvision import patches

    torch.manual_seed(1)
    return patches


@pytest.fixture
def picture():
    """Something black around the index of ``SEVEN``, on white."""
    pixels = np.full((480, 640, 3), 255, np.uint8)
    pixels[192:209, 292:309] = 0
    return pixels


@pytest.fixture
def examples(torch, picture):
    from tools.cardvision.examples import Example

    return [Example(picture, [SEVEN], [])]


# ---- effects -----------------------------------------------------------------------------


def test_pictures_are_sampled_as_the_program_does_it(torch, patches, picture):
    from tools.cardvision.effects import sampled

    up = np.array([0.6, -0.8])
    index = Index(np.array([301.3, 199.6]), up, 40.0, np.zeros(2), 1.0)
    pictures = torch.from_numpy(picture).permute(2, 0, 1)[None].float()
    right, down = torch.tensor([[0.8, 0.6]]), torch.tensor([[-0.6, 0.8]])
    step = 40 * 1.25 / 56

    part = sampled(pictures, torch.tensor([[301.3, 199.6]]), (step * right, step * down), (56, 40))
    assert np.abs(part.numpy() / 255 - 0.5 - seen(picture, [index])).max() < 0.001


@pytest.mark.parametrize("quality", [45, 75, 90])
def test_pictures_are_compressed_as_jpeg_does_it(torch, patches, quality):
    from tools.cardvision.effects import compressed

    y, x = np.mgrid[:96, :96]
    waves = [np.sin(x / 5) * np.cos(y / 9), np.sin((x + y) / 7), np.cos(x * y / 900)]
    picture = (np.stack(waves, -1) * 100 + 128).astype(np.uint8)
    target = io.BytesIO()
    Image.fromarray(picture).save(target, "JPEG", quality=quality)
    expected = np.asarray(Image.open(target)).astype(float)

    pictures = torch.from_numpy(picture).permute(2, 0, 1)[None].float()
    found = compressed(pictures, torch.tensor([float(quality)]))[0].permute(1, 2, 0).numpy()
    lost = np.abs(expected - picture).mean()
    assert np.abs(found - expected).mean() < 0.6 * lost


def test_lines_become_thicker_or_thinner(torch, patches, picture):
    from tools.cardvision.effects import thickened

    pictures = torch.from_numpy(picture).permute(2, 0, 1)[None].float().repeat(3, 1, 1, 1)
    thicker, same, thinner = (
        (255 - some).sum() for some in thickened(pictures, torch.tensor([0.5, 0.0, -0.5]))
    )
    assert thicker > same > thinner > 0


# ---- classifier --------------------------------------------------------------------------


@pytest.mark.parametrize("size", [9.0, 40.0, 100.0])
def test_a_cutting_has_its_index_in_the_middle_however_large_it_is(patches, picture, size):
    index = Index(np.array([300.0, 200.0]), UPRIGHT, size, np.zeros(2), 1.0)
    cut = patches.cut(picture, index, patches.NO_INDEX)

    assert cut.picture.shape == (patches.SIDE, patches.SIDE, 3)
    assert cut.place.size <= patches.LARGEST
    dark = 255.0 - cut.picture.mean(-1)
    rows, columns = np.mgrid[: patches.SIDE, : patches.SIDE]
    middle = (columns * dark).sum() / dark.sum(), (rows * dark).sum() / dark.sum()
    assert cut.place.place == pytest.approx(middle, abs=0.6)


def test_indices_are_seen_from_farther_away_in_the_same_place(torch, patches, examples):
    cut = patches.gather(np.random.default_rng(1), examples * 40)
    cut = cut.part(cut.says[:, 2] == 1)
    far = patches._farther(cut)

    assert len(far.sizes) == 40
    assert (far.sizes > patches.SMALLEST - 0.01).all()
    assert (far.sizes < patches.FAR + 0.01).all()
    dark = 255 - far.pictures.mean(1)
    rows, columns = np.mgrid[: patches.SMALLER_SIDE, : patches.SMALLER_SIDE]
    for n, place in enumerate(far.places.tolist()):
        one = dark[n].numpy()
        middle = (columns * one).sum() / one.sum(), (rows * one).sum() / one.sum()
        assert middle == pytest.approx(place, abs=0.5)


def test_a_batch_says_what_its_cuttings_say(patches, examples):
    cut = patches.gather(np.random.default_rng(1), examples)
    values, ranks, suits, valid = patches.batch(cut)

    assert values.shape == (len(cut.sizes), 3, 56, 40)
    said = set(zip(ranks.tolist(), suits.tolist(), valid.tolist(), strict=True))
    assert said == {(6, 1, 1), patches.NO_INDEX}
    dark = [float(value[:, 20:36, 12:28].min()) < 0 for value in values]
    assert dark == [bool(one) for one in valid], "the picture of an index goes with what it says"


def test_what_is_nearly_covered_is_no_index_except_beside_one(patches):
    covered = Label(0, "7H", (100, 100), (0, -1), 20, 0.1, (130, 150))
    beside = Label(1, "8H", (104, 100), (0, -1), 40, 1.0, (134, 150))
    draws = [np.random.default_rng(seed) for seed in range(9)]

    assert all(patches._sliver(rng, covered, [covered]) for rng in draws)
    assert not any(patches._sliver(rng, covered, [covered, beside]) for rng in draws)


# ---- detector ----------------------------------------------------------------------------


def test_maps_lead_to_the_index_in_a_view(torch, patches, examples):
    from tools.cardvision import views

    seen = 0
    for seed in range(8):
        torch.manual_seed(seed)
        pictures, maps, weights = views.batch(views.gather(np.random.default_rng(1), examples))
        assert pictures.shape == (views.VIEWS, 3, views.SIDE, views.SIDE)
        for picture, one, near in zip(pictures, maps, weights[:, 1], strict=True):
            for row, column in (one[0] == 1).nonzero().tolist():
                seen += 1
                assert near[row, column] == 1
                y, x = (STRIDE * place for place in (row, column))
                assert float(picture[:, y : y + 4, x : x + 4].mean()) < 0, "it is dark there"
                _, up_x, up_y, size, middle_x, middle_y = one[:, row, column].tolist()
                scale = 32 * np.exp(size) / SEVEN.size
                up, way = np.array([up_x, up_y]), np.array([middle_x, middle_y]) * REACH
                right = np.array([-up[1], up[0]])
                assert np.hypot(*up) == pytest.approx(1, abs=0.01)
                ahead = np.array([way @ right, -way @ up]) / scale
                assert ahead == pytest.approx((50, 130), abs=STRIDE / scale)
    assert seen > 20


def test_an_index_that_hardly_shows_does_not_count(torch, examples):
    from dataclasses import replace

    from tools.cardvision import views
    from tools.cardvision.examples import Example

    heat, doubted = [], []
    for visible in (0.05, 0.2, 1.0):
        labels = [replace(SEVEN, visible=visible)]
        torch.manual_seed(4)
        scenes = views.gather(np.random.default_rng(1), [Example(examples[0].picture, labels, [])])
        _, maps, weights = views.batch(scenes)
        heat.append(float(maps[:, 0].max()))
        doubted.append(float(weights[:, 0].min()) == 0)
    assert heat == [0, 0, 1]
    assert doubted == [False, True, False]


def test_layers_that_go_deeper_change_nothing_at_first(torch):
    from tools.cardvision import nets

    values = torch.rand(1, 8, 5, 5)
    layers = nets._Deeper(8, 2).eval()
    assert layers(values).equal(values)


@pytest.mark.parametrize("name", ["detector", "classifier"])
def test_the_training_goes_on_from_finished_weights(torch, name):
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    from scorekeeper.camera.recognition import WEIGHTS
    from tools.cardvision import onnx_weights
    from tools.cardvision.train import PLANS

    torch.manual_seed(1)
    net, path = PLANS[name].network(), WEIGHTS / f"{name}.onnx"
    fixed = [layer.eval() for layer in net.modules() if isinstance(layer, torch.nn.BatchNorm2d)]
    onnx_weights.load(net, path, PLANS[name].example)
    seen = torch.rand(PLANS[name].example) - 0.5
    finished = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (said,) = finished.run(None, {finished.get_inputs()[0].name: seen.numpy()})

    assert net.training
    assert not any(layer.training for layer in fixed), "what is fixed stays so"
    assert np.abs(net.eval()(seen).detach().numpy() - said).max() < 1e-3


def test_a_joker_that_is_taken_for_no_index_counts_more_than_another_card(torch):
    from tools.cardvision.train import classifier_loss

    def loss(doubted):
        values = torch.zeros(12, 19)
        values[:, -1] = 3
        values[doubted, -1] = -3
        ranks, suits = torch.tensor([13] + [0] * 11), torch.tensor([4] + [0] * 11)
        return float(classifier_loss(values, (values, ranks, suits, torch.ones(12).long())))

    assert loss(0) > loss(1) + 0.2
