"""Fetches what faces are drawn with: fonts of Debian, and the CC0 deck @letele/playing-cards.

A family of fonts is used either for training, for choosing thresholds or for the test.
"""

import subprocess
import tempfile
from functools import cache, partial
from pathlib import Path

from PIL import ImageFont

Font = ImageFont.FreeTypeFont

PACKAGES = """
    fonts-allerta fonts-arapey fonts-averia-serif-gwf fonts-bebas-neue fonts-breip fonts-bwht
    fonts-cabin fonts-cantarell fonts-cardo fonts-clear-sans fonts-comfortaa fonts-comic-neue
    fonts-crosextra-caladea fonts-crosextra-carlito fonts-dejavu-core fonts-dejavu-extra
    fonts-dosis fonts-ebgaramond fonts-essays1743 fonts-fanwood fonts-gfs-artemisia
    fonts-gfs-didot fonts-gfs-neohellenic fonts-goudybookletter fonts-inter fonts-junicode
    fonts-jura fonts-karla fonts-kristi fonts-lato fonts-league-spartan fonts-liberation2
    fonts-lindenhill fonts-linuxlibertine fonts-lobstertwo fonts-manrope fonts-noto-core
    fonts-oldstandard fonts-open-sans fonts-paratype fonts-play fonts-prociono
    fonts-quattrocento fonts-roboto-slab fonts-roboto-unhinted fonts-sil-charis
    fonts-sil-gentium-basic fonts-sora fonts-stix fonts-texgyre
"""

FONTS = {
    "train": """
        Arapey-Regular Arapey-Black BebasNeue-Bold BebasNeue-Regular Cabin-Bold Cabin-Regular
        Cantarell-Bold ClearSans-Bold ClearSans-Regular Caladea-Bold Caladea-Regular
        Carlito-Bold Carlito-Regular DejaVuSans-Bold DejaVuSans DejaVuSansCondensed-Bold
        DejaVuSerif DejaVuSerif-Bold DejaVuSerifCondensed DejaVuSerifCondensed-Bold
        Dosis-Bold Dosis-Medium EBGaramond12-Regular EBGaramond12-Bold Essays1743
        GoudyBookletter1911 Inter-Bold Inter-Medium Karla-Bold Karla-Regular Lato-Bold
        Lato-Medium LeagueSpartan-Bold LeagueSpartan-Medium LiberationSans-Bold
        LiberationSans-Regular LiberationSerif-Bold LiberationSerif-Regular LiberationMono-Bold
        LinLibertine_R LinLibertine_RB LinBiolinum_RB LobsterTwo-Bold Manrope-Bold
        PTF55F PTF75F PTN57F PTN77F PTS75F Play-Bold Play-Regular RobotoSlab-Bold
        RobotoSlab-Regular RobotoCondensed-Bold RobotoCondensed-Regular Roboto-Medium
        CharisSIL-Bold CharisSIL-Regular Sora-SemiBold
        allerta_medium AveriaSerifGWF-Bold AveriaSerifGWF-Regular Comfortaa-Bold ComicNeue-Bold
        GFSArtemisia GFSArtemisiaBold GFSDidot GFSDidotBold GFSNeohellenicBold
        JunicodeTwoBeta-Bold JunicodeTwoBeta-Condensed Jura-Bold LindenHill
        NotoSansDisplay-Bold NotoSerif-Bold NotoSerifDisplay-Bold NotoSerifDisplay-Regular
        texgyreadventor-bold texgyreadventor-regular texgyrebonum-bold texgyrebonum-regular
        texgyrecursor-bold texgyreheros-bold texgyreheroscn-bold texgyrepagella-bold
        texgyrepagella-regular texgyreschola-bold texgyreschola-regular texgyretermes-bold
    """,
    "check": "OpenSans-Semibold OpenSans-CondBold OldStandard-Bold Cardob101 Fanwood",
    "test": """
        STIX-Bold STIX-Regular GenBasB GenBkBasR Prociono Quattrocento-Regular
        Lato-Heavy OldStandard-Regular
    """,
}
WRITING = {
    "train": """
        BecauseWeBuild-Regular BecauseWeConnect-Regular BecauseWeCreate-Regular
        BecauseWeLearn-Regular BecauseWeMentor-Regular BecauseWeOrganize-Regular
    """,
    "check": "Kristi",
    "test": "Breip",
}
"""Fonts that look like handwriting, for what lies beside the cards."""
SUIT_FONTS = {
    "train": ["DejaVuSans", "LinLibertine_R", "LiberationSerif-Regular"],
    "check": ["DejaVuSansMono"],
    "test": ["STIX-Regular"],
}
NPM = ("@letele/playing-cards@0.1.0", "react@18.3.1", "react-dom@18.3.1", "@babel/runtime@7.26.0")
FACES = """
import * as fs from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import * as cards from "./node_modules/@letele/playing-cards/dist/index.esm.js";
for (const [name, card] of Object.entries(cards))
  fs.writeFileSync(`${name}.svg`, renderToStaticMarkup(createElement(card)));
"""
FACE_WIDTH = 640


def fetch(folder: Path) -> None:
    """Fetch all that is not there yet; nothing is installed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, get in (
        ("fonts", partial(_unpack, PACKAGES.split())),
        ("letele", _fetch_letele),
        ("others", partial(_unpack, ["gnome-cards-data"])),
    ):
        if not (folder / name).exists():
            with tempfile.TemporaryDirectory(dir=folder) as work:
                get(Path(work), Path(work) / name)
                (Path(work) / name).rename(folder / name)


def _unpack(packages: list[str], work: Path, target: Path) -> None:
    for package in packages:
        subprocess.run(["apt-get", "download", "-q", package], cwd=work, check=True)
    for archive in work.glob("*.deb"):
        subprocess.run(["dpkg", "-x", archive, target], check=True)


def _fetch_letele(work: Path, target: Path) -> None:
    import resvg_py

    subprocess.run(["npm", "install", "--silent", "--prefix", work, *NPM], check=True)
    (work / "faces.mjs").write_text(FACES, encoding="utf-8")
    subprocess.run(["node", "faces.mjs"], cwd=work, check=True)
    target.mkdir(parents=True)
    for picture in work.glob("*.svg"):
        png = bytes(resvg_py.svg_to_bytes(svg_path=str(picture), width=FACE_WIDTH))
        (target / f"{picture.stem}.png").write_bytes(png)


@cache
def files(folder: Path) -> dict[str, Path]:
    """Return the font files below the folder by name."""
    found = sorted(path for ending in ("otf", "ttf") for path in folder.rglob(f"*.{ending}"))
    return {path.stem: path for path in reversed(found)}


def prints(folder: Path, split: str) -> list[Font]:
    """Return the fonts of what lies beside the cards in the scenes of a split."""
    names = [*FONTS[split].split(), *(3 * WRITING[split].split())]
    return [font(folder, name, 20) for name in names]


@cache
def font(folder: Path, name: str, size: int) -> Font:
    """Return a font in a size."""
    return ImageFont.truetype(str(files(folder)[name]), size)
