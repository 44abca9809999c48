// Compiles the Python files below a folder with the Python of Pyodide, in place: each .py becomes a
// .pyc beside it, which needs no source. Usage: node compile.mjs PYODIDE FOLDER
//
// The version of bytecode is that of the interpreter that will load it, so no other can do this.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [pyodide, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
// Without the columns of every instruction, which only a traceback would show.
const python = await loadPyodide({ indexURL: pyodide, env: { PYTHONNODEBUGRANGES: "1" } });
python.FS.mkdir("/tree");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/tree");
python.runPython(`
import importlib.util, os
from importlib._bootstrap_external import _code_to_hash_pyc as with_header

for folder, _, names in os.walk("/tree"):
    for name in names:
        if not name.endswith(".py"):
            continue
        path = f"{folder}/{name}"
        with open(path, "rb") as file:
            source = file.read()
        shown = path.removeprefix("/tree")
        # The API is described by the docstrings of its views; nothing reads any others.
        optimize = 0 if "/scorekeeper/web/api/" in shown else 2
        code = compile(source, shown, "exec", dont_inherit=True, optimize=optimize)
        # Never compared with a source: there is none.
        compiled = with_header(code, importlib.util.source_hash(source), checked=False)
        with open(path + "c", "wb") as file:
            file.write(compiled)
        os.remove(path)
`);
process.exit(0);
