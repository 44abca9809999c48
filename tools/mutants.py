"""Mutation testing: put small mistakes into the code and see whether a test fails (make mutants).

There are two areas, each with its packages, tests and bar in ``[tool.mutants]`` of pyproject.toml:
``core`` is what decides about points and records, ``around`` what reads, shows and serves them.
mutmut mutates the packages of an area and runs, for each mutant, the tests that call the mutated
function. Everything happens in a copy of the project in build/mutants, one for each area.
Results are written to build/mutants, and with ``--table`` into a page of the docs.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.table import commit, write_between

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "mutants"
EQUIVALENT = ROOT / "tools" / "equivalent_mutants.toml"
COPIED = ("scorekeeper", "templates", "tests", "tools", "bench", "docs", "examples", "deploy")
SAMPLE, SEED = 400, "1"

VERDICTS: Mapping[int | None, str] = {
    **dict.fromkeys((1, 3), "killed"),
    **dict.fromkeys((24, 36, 152, -24), "timeout"),
    **dict.fromkeys((5, 33), "no test"),
    0: "survived",
}
"""By exit code of mutmut's workers. Any other code judges nothing and counts as survived: 255 is
what mutmut calls a timeout too, but stands for a test run that did not begin."""
KILLED = {"killed", "timeout"}


@dataclass(frozen=True, kw_only=True)
class Area:
    """Packages whose mutants are drawn together."""

    name: str
    packages: Sequence[str]
    least_killed: float
    """The share of a sample that has to be killed."""
    tests: Sequence[str]

    @property
    def copy(self) -> Path:
        return BUILD / self.name

    @property
    def log(self) -> Path:
        return self.copy.with_suffix(".log")

    @property
    def results(self) -> Path:
        return self.copy.with_suffix(".json")

    @property
    def settings(self) -> str:
        """The settings of mutmut that differ between areas; a list in JSON is one in TOML."""
        mutated = [f"scorekeeper/{package}/*" for package in self.packages]
        return (
            f"only_mutate = {json.dumps(mutated)}\n"
            f"pytest_add_cli_args_test_selection = {json.dumps(self.tests)}\n"
        )


def areas() -> dict[str, Area]:
    """Return the areas by name."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mutants"]
    return {name: Area(name=name, **settings) for name, settings in read.items()}


@dataclass(frozen=True)
class Mutant:
    """A mutant and its verdict."""

    name: str
    verdict: str
    was: str = ""
    becomes: str = ""

    @property
    def killed(self) -> bool:
        return self.verdict in KILLED

    @property
    def module(self) -> str:
        return module_of(self.name)

    @property
    def function(self) -> str:
        """The mutated function, with its class: ``RuleSet.names``."""
        mangled = self.name.rpartition(".")[2].partition("__mutmut_")[0]
        return mangled.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")


def main() -> None:
    known = areas()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="whole modules by name: settlement scoring.gin")
    parser.add_argument("--area", choices=known, help="one area instead of all")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many of each area")
    parser.add_argument("--seed", default=SEED, help="another sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="at a time")
    parser.add_argument("--table", type=Path, metavar="FILE", help="put the last results into it")
    arguments = parser.parse_args()
    chosen = [known[arguments.area]] if arguments.area else [*known.values()]
    if arguments.table:
        for area in chosen:
            marks = f"<!-- mutants {area.name} -->", f"<!-- end of mutants {area.name} -->"
            write_between(arguments.table, f"\n{table(*load_results(area))}", marks)
        return
    good = True
    for area in chosen:
        staged = stage(area)
        names = generated(area, arguments.jobs)
        if arguments.modules:
            names = [name for name in names if is_of(name, arguments.modules)]
            if not names:
                continue  # it may be a module of the other area
        else:
            names = sample(names, arguments.sample, arguments.seed)
        mutants = run(area, names, arguments.jobs)
        save_results(area, mutants, "none" if arguments.modules else arguments.seed, staged)
        for mutant in missed(mutants):
            print(f"{mutant.module} {mutant.function}: {mutant.verdict}")
            print(f"  - {mutant.was}\n  + {mutant.becomes}")
        print(f"{area.name}: {summary(mutants)}", flush=True)
        good = good and is_good(mutants, area.least_killed)
    sys.exit(not good)


# ---- making and choosing mutants ---------------------------------------------------------


def stage(area: Area) -> str:
    """Copy the project for an area and return its commit."""
    copy = area.copy
    copy.mkdir(parents=True, exist_ok=True)
    for stale in ("tests", "mutants/tests", "scorekeeper"):
        shutil.rmtree(copy / stale, ignore_errors=True)
    # Which test calls which function is found out again: functions may have moved.
    for stats in (copy / "mutants").glob("mutmut*stats.json"):
        stats.unlink()
    for mutated in (copy / "mutants" / "scorekeeper").rglob("*.py*"):
        module = ROOT / mutated.relative_to(copy / "mutants")
        if not module.with_name(module.name.removesuffix(".meta")).exists():
            mutated.unlink()  # the module was moved or deleted since the last run
    for name in COPIED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, copy / name, dirs_exist_ok=True, ignore=ignored)
    # For the rewritten source, workers take more memory.
    pool = copy / "scorekeeper" / "workers" / "pool.py"
    pool.write_text(pool.read_text("utf-8").replace("MEMORY = 640 *", "MEMORY = 2560 *"), "utf-8")
    # mutmut copies files that are no modules only once.
    ignored = shutil.ignore_patterns("__pycache__", "*.py")
    inner = copy / "mutants" / "scorekeeper"
    shutil.copytree(ROOT / "scorekeeper", inner, dirs_exist_ok=True, ignore=ignored)
    shutil.copy2(ROOT / "CHANGELOG.md", copy)
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    settings = settings.replace("[tool.mutmut]\n", f"[tool.mutmut]\n{area.settings}")
    (copy / "pyproject.toml").write_text(settings, encoding="utf-8")
    return commit()


def generated(area: Area, jobs: int) -> list[str]:
    """Make the mutants of all modules and return their names, sorted."""
    command = (
        "from mutmut.__main__ import *; copy_src_dir(); copy_also_copy_files();"
        f" setup_source_paths(); create_mutants({jobs})"
    )
    subprocess.run(
        [sys.executable, "-c", command],
        cwd=area.copy,
        env={**os.environ, "MUTANT_UNDER_TEST": "mutant_generation"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return sorted(exit_codes(area))


def sample(names: Sequence[str], size: int, seed: str) -> list[str]:
    """Return a random sample of the names, determined by the seed.

    Each name has a place of its own in the draw, so that a mutant more or less elsewhere
    leaves the rest of the sample as it is.
    """

    def place(name: str) -> bytes:
        return sha256(f"{seed} {name}".encode()).digest()

    return sorted(sorted(names, key=place)[:size])


def module_of(name: str) -> str:
    """Return the module of a mutant without the package: ``domain.scoring.gin``."""
    return re.split(r"\.x[_ǁ]", name.removeprefix("scorekeeper."))[0]


def is_of(name: str, modules: Iterable[str]) -> bool:
    """Return whether a mutant belongs to one of these modules or packages."""
    module = f".{module_of(name)}."
    return any(f".{wanted}." in module for wanted in modules)


# ---- running the tests -------------------------------------------------------------------


def run(area: Area, names: Sequence[str], jobs: int) -> list[Mutant]:
    """Test the mutants with mutmut and return their verdicts."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", str(jobs)]
    # Every mutant is judged by the examples of `make test`, also within `make soak`.
    environment = {n: v for n, v in os.environ.items() if n not in ("SOAK", "SOAK_DONE", "SEED")}
    environment["CI"] = "true"
    print(f"{len(names)} mutants; progress is in {area.log.relative_to(ROOT)}", flush=True)
    with area.log.open("w", encoding="utf-8") as log:
        done = subprocess.run(
            [*command, *names], cwd=area.copy, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    codes = exit_codes(area)
    if done.returncode or not set(names) <= set(codes):
        sys.exit(f"mutmut failed, see {area.log}; does a test fail in {area.copy / 'mutants'}?")
    return [found(area, name, codes[name]) for name in names]


def exit_codes(area: Area) -> dict[str, int | None]:
    """Return the exit codes by mutant, which mutmut stores beside the mutated files."""
    return {
        name: code
        for path in (area.copy / "mutants").rglob("*.meta")
        for name, code in json.loads(path.read_text("utf-8"))["exit_code_by_key"].items()
    }


def found(area: Area, name: str, code: int | None) -> Mutant:
    """Return a mutant with its verdict and, if no test noticed it, its change."""
    verdict = VERDICTS.get(code, f"not judged ({code})")
    if verdict in KILLED:
        return Mutant(name, verdict)
    return Mutant(name, verdict, *changed_lines(area, name))


def changed_lines(area: Area, name: str) -> tuple[str, str]:
    """Return the lines before and after, from ``mutmut show``."""
    command = [str(Path(sys.executable).with_name("mutmut")), "show", name]
    shown = subprocess.run(
        command, cwd=area.copy, capture_output=True, text=True, check=True
    ).stdout
    lines = [line for line in shown.splitlines() if not line.startswith(("---", "+++"))]
    was, becomes = ([line[1:].strip() for line in lines if line[:1] == sign] for sign in "-+")
    return " ".join(was), " ".join(becomes)


# ---- results -----------------------------------------------------------------------------


def reasons() -> list[dict[str, str]]:
    """Return the known equivalent mutants, with the reasons why no test can notice them."""
    found: list[dict[str, str]] = tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]
    return found


SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AND|PRAGMA|RELEASE)\b")
QUOTED = re.compile(r"'[^']*'")


def why_equivalent(mutant: Mutant) -> str:
    """Return why no test can notice a mutant; empty if no reason is known."""
    quoted, same = map(QUOTED.findall, (mutant.was, mutant.becomes))
    if SQL.search(mutant.was) and mutant.was.lower() == mutant.becomes.lower() and quoted == same:
        return "keywords and names of SQL may be written in either case"
    for known in reasons():
        if (
            fnmatch(f"{mutant.module}.{mutant.function}", known["function"])
            and known["was"] in mutant.was
            and known["becomes"] in mutant.becomes
        ):
            return known["why"]
    return ""


def missed(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return the mutants that no test noticed, equivalent ones included."""
    return [mutant for mutant in mutants if not mutant.killed]


def is_good(mutants: Sequence[Mutant], least_killed: float) -> bool:
    """Return whether enough mutants were killed, not counting explained survivors."""
    unexplained = [mutant for mutant in missed(mutants) if not why_equivalent(mutant)]
    return len(mutants) - len(unexplained) >= least_killed * len(mutants)


def summary(mutants: Sequence[Mutant]) -> str:
    """Return the result in one line."""
    lost = missed(mutants)
    alike = sum(bool(why_equivalent(mutant)) for mutant in lost)
    killed, different = len(mutants) - len(lost), len(mutants) - alike
    share = 100 * killed / different if different else 100
    return (
        f"{len(mutants)} mutants: {killed} killed, {len(lost) - alike} survived,"
        f" {alike} equivalent; {share:.1f} % of those that differ were killed"
    )


def save_results(area: Area, mutants: Sequence[Mutant], seed: str, commit: str) -> None:
    facts: dict[str, object] = {"seed": seed, "commit": commit}
    facts["mutants"] = [asdict(mutant) for mutant in mutants]
    area.results.write_text(json.dumps(facts, indent=1, ensure_ascii=False), encoding="utf-8")


def load_results(area: Area) -> tuple[list[Mutant], str, str]:
    facts = json.loads(area.results.read_text(encoding="utf-8"))
    return [Mutant(**mutant) for mutant in facts["mutants"]], facts["seed"], facts["commit"]


def table(mutants: Sequence[Mutant], seed: str, commit: str) -> str:
    """Return the verdicts by module, and the survivors with their reasons."""
    return "\n".join((*_by_module(mutants, seed, commit), "", *_survivors(mutants)))


def _by_module(mutants: Sequence[Mutant], seed: str, commit: str) -> Iterator[str]:
    yield f"{summary(mutants)}. Seed {seed}, commit {commit}.\n"
    yield "| module | mutants | killed | survived | equivalent |\n|---|---|---|---|---|"
    totals = Counter(mutant.module for mutant in mutants)
    lost = Counter(mutant.module for mutant in missed(mutants))
    alike = Counter(mutant.module for mutant in missed(mutants) if why_equivalent(mutant))
    for module, count in sorted(totals.items()):
        same = alike[module]
        yield f"| {module} | {count} | {count - lost[module]} | {lost[module] - same} | {same} |"


def _survivors(mutants: Sequence[Mutant]) -> Iterator[str]:
    yield "| function | line | becomes | why it survives |\n|---|---|---|---|"
    for mutant in missed(mutants):
        why = why_equivalent(mutant)
        why = f"equivalent: {why}" if why else f"{mutant.verdict}: **no test notices**"
        was, becomes = (
            f"`{line.replace('|', chr(92) + '|')}`" for line in (mutant.was, mutant.becomes)
        )
        yield f"| {mutant.module} `{mutant.function}` | {was} | {becomes} | {why} |"


if __name__ == "__main__":
    main()
