"""The steps from nothing to two trained networks; ``make cards-model`` and ``make cards-eval``."""

from pathlib import Path

import click

from bench.table import commit, write_between
from scorekeeper.camera import recognition
from tools.cardvision import counting

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "camera.md"
PICTURE = PAGE.parent / "pictures" / "camera-failures.jpg"
MARKS = ("<!-- measured -->", "<!-- /measured -->")
COUNTS = {"train": 39952, "check": 600, "test": 1000, "others": 560}
STEPS = {"detector": 8900, "classifier": 7300}
REPORT_EVERY = 200


@click.group()
@click.option("--folder", type=click.Path(path_type=Path), default=ROOT / "build" / "cards")
@click.pass_context
def main(context: click.Context, folder: Path) -> None:
    """Make and measure the networks that read cards."""
    context.obj = folder


@main.command()
@click.argument("splits", nargs=-1, type=click.Choice(list(COUNTS)))
@click.option("--count", type=int, help="How many scenes, instead of the usual number.")
@click.pass_obj
def scenes(folder: Path, splits: tuple[str, ...], count: int | None) -> None:
    """Make the scenes that are not there yet."""
    from tools.cardvision import assets, dataset

    assets.fetch(folder)
    for split in splits or COUNTS:
        of = count or COUNTS[split]
        for number in dataset.make(split, of, folder / "scenes", folder):
            if number % REPORT_EVERY == 0 or number == of:
                click.echo(f"{split}: {number} of {of} scenes")


@main.command()
@click.argument("names", nargs=-1, type=click.Choice(list(STEPS)))
@click.option("--steps", type=int, help="For how many steps, instead of the usual number.")
@click.option("--further", is_flag=True, help="Go on from the weights in the package.")
@click.pass_obj
def train(folder: Path, names: tuple[str, ...], steps: int | None, further: bool) -> None:
    """Train the networks, from the last checkpoint on, and write them into the package."""
    from tools.cardvision import export, mistakes
    from tools.cardvision.train import train as train_network

    for name in names or STEPS:
        if name == "classifier":
            mistakes.collect(folder / "scenes", "train")
        checkpoint, weights = folder / f"{name}.pt", recognition.WEIGHTS / f"{name}.onnx"
        start = weights if further else None
        train_network(name, folder / "scenes", checkpoint, steps or STEPS[name], start)
        export.export(name, checkpoint, weights)


@main.command()
@click.option("--write", is_flag=True, help="Write the tables and a picture for docs/camera.md.")
@click.pass_obj
def evaluate(folder: Path, write: bool) -> None:
    """Choose the threshold on the scenes for that, then measure on the scenes of the test."""
    from tools.cardvision import failures
    from tools.cardvision.evaluate import outcomes

    limit = counting.threshold(list(outcomes(folder / "scenes", "check")))
    results = list(outcomes(folder / "scenes", "test"))
    others = list(outcomes(folder / "scenes", "others"))
    text = (
        f"Commit {commit()}. A card is sure from {limit:.3f} on.\n\nDesigns of our own:\n\n"
        f"{counting.markdown(results, limit)}\nDecks of others:\n\n"
        f"{counting.markdown(others, limit)}"
    )
    click.echo(text)
    if write:
        write_between(PAGE, text, MARKS)
        recognition.THRESHOLD.write_text(f"{limit:.3f}\n", encoding="ascii")
        failures.draw(results, PICTURE)


if __name__ == "__main__":
    main()
