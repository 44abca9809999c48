// The record on this device: a file system for Python over the origin private file system, whose
// files are opened once and then read, written and flushed without waiting (synchronous access
// handles). Opening one takes a moment, so there is a supply of open files. Each begins with a page
// that holds its name. Renaming a file is one write; if two files have a name, the younger counts.
//
// SQLite's calls to sync do not reach a file system of Emscripten (fdatasync does nothing), so the
// order of writes is kept here: before a file is written, all others are flushed, and before the
// beginning of a journal is written again, the rest of it is. `flush` makes the last change
// durable; the worker calls it before every answer.

const PAGE = 4096;
const MAGIC = 0x534b4631; // "SKF1"
const [ENOSPC, EIO, ENOENT, ENOTEMPTY] = [51, 29, 44, 55]; // as Emscripten numbers them
const SPARE = 6;

export class Supply {
  #folder;
  #slots = [];
  #youngest = 0;
  dirty = new Set();

  static async open(name) {
    const supply = new Supply();
    const root = await navigator.storage.getDirectory();
    supply.#folder = await root.getDirectoryHandle(name, { create: true });
    for await (const [file, handle] of supply.#folder) {
      if (handle.kind === "file") supply.#slots.push(await Slot.open(file, handle));
    }
    supply.#settle();
    await supply.refill();
    return supply;
  }

  // Of two files with one name, the older was being replaced when the program ended.
  #settle() {
    const named = new Map();
    for (const slot of this.#slots.sort((one, other) => one.age - other.age)) {
      if (!slot.name) continue;
      named.get(slot.name)?.clear();
      named.set(slot.name, slot);
      this.#youngest = slot.age;
    }
  }

  async refill() {
    while (this.#slots.filter(({ name }) => !name).length < SPARE) {
      const file = `${this.#slots.length}-${Date.now().toString(36)}`;
      this.#slots.push(await Slot.open(file, await this.#folder.getFileHandle(file, { create: true })));
    }
  }

  files() {
    return this.#slots.filter(({ name }) => name);
  }

  take(name) {
    const slot = this.#slots.find((one) => !one.name);
    if (!slot) return null;
    slot.call(name, ++this.#youngest);
    return slot;
  }

  rename(slot, name, replaced) {
    slot.call(name, ++this.#youngest);
    slot.handle.flush();
    replaced?.clear();
  }

  // Called before each write.
  order(slot, position) {
    for (const other of this.dirty) if (other !== slot) this.#flush(other);
    if (slot.name.endsWith("-journal") && position < slot.written) this.#flush(slot);
    slot.written = Math.max(slot.written, position);
    this.dirty.add(slot);
  }

  #flush(slot) {
    slot.handle.flush();
    slot.written = 0;
    this.dirty.delete(slot);
  }

  flush() {
    for (const slot of this.dirty) this.#flush(slot);
  }

  close() {
    this.flush();
    for (const { handle } of this.#slots) handle.close();
  }
}

class Slot {
  name = "";
  age = 0;
  written = 0;

  static async open(file, handle) {
    const slot = new Slot();
    if (handle.createSyncAccessHandle) slot.handle = await handle.createSyncAccessHandle();
    // Browsers before 2023 answer later, and then nobody knows when a file has been flushed.
    if (typeof slot.handle?.getSize() !== "number") throw new DOMException("no synchronous files", "NotSupportedError");
    slot.#read();
    return slot;
  }

  #read() {
    const page = new DataView(new ArrayBuffer(PAGE));
    if (this.handle.read(page, { at: 0 }) < PAGE || page.getUint32(0) !== MAGIC) return;
    const length = page.getUint32(8);
    const name = new Uint8Array(page.buffer, 16, Math.min(length, PAGE - 16));
    if (page.getUint32(12) !== sum(name)) return; // the program ended while it was written
    [this.name, this.age] = [new TextDecoder().decode(name), page.getUint32(4)];
  }

  call(name, age) {
    const page = new DataView(new ArrayBuffer(PAGE));
    const bytes = new TextEncoder().encode(name);
    page.setUint32(0, MAGIC);
    page.setUint32(4, age);
    page.setUint32(8, bytes.length);
    page.setUint32(12, sum(bytes));
    new Uint8Array(page.buffer).set(bytes, 16);
    this.handle.write(page, { at: 0 });
    [this.name, this.age] = [name, age];
  }

  clear() {
    this.handle.truncate(0);
    this.handle.flush();
    this.name = "";
  }

  get size() {
    return Math.max(0, this.handle.getSize() - PAGE);
  }
}

function sum(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

// Returns a file system that Emscripten can mount. Folders exist in memory only; those of files
// that exist are made when it is mounted.
export function recordSystem(FS, supply) {
  const [FOLDER, FILE] = [16384 | 0o700, 32768 | 0o600];
  const refuse = (number) => {
    throw new FS.ErrnoError(number);
  };
  const guarded = (call) => {
    try {
      return call();
    } catch (error) {
      if (error instanceof FS.ErrnoError) throw error;
      console.error(error);
      return refuse(error?.name === "QuotaExceededError" ? ENOSPC : EIO);
    }
  };
  const path = (node, name) => {
    const parts = name ? [name] : [];
    for (let one = node; one !== one.parent; one = one.parent) parts.unshift(one.name);
    return parts.join("/");
  };
  const make = (parent, name, mode, slot) => {
    const node = FS.createNode(parent, name, mode, 0);
    node.node_ops = nodes;
    node.stream_ops = streams;
    node.slot = slot;
    node.changed = Date.now();
    if (!slot) node.inside = new Map();
    if (parent) parent.inside.set(name, node);
    return node;
  };

  const nodes = {
    getattr(node) {
      const time = new Date(node.changed);
      const size = node.slot ? node.slot.size : 0;
      return {
        dev: 7, ino: node.id, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size,
        atime: time, mtime: time, ctime: time, blksize: PAGE, blocks: Math.ceil(size / 512),
      };
    },
    setattr(node, { mode, size }) {
      if (mode != null) node.mode = mode;
      if (size == null || !node.slot) return;
      guarded(() => {
        supply.order(node.slot, 0);
        node.slot.handle.truncate(PAGE + size);
      });
    },
    lookup(parent, name) {
      return parent.inside.get(name) ?? refuse(ENOENT);
    },
    mknod(parent, name, mode) {
      if (FS.isDir(mode)) return make(parent, name, FOLDER);
      const slot = guarded(() => supply.take(path(parent, name)));
      return make(parent, name, FILE, slot ?? refuse(ENOSPC));
    },
    rename(node, parent, name) {
      const replaced = parent.inside.get(name);
      if (replaced?.inside?.size || node.inside?.size) refuse(ENOTEMPTY);
      if (node.slot) guarded(() => supply.flush());
      if (node.slot) guarded(() => supply.rename(node.slot, path(parent, name), replaced?.slot));
      node.parent.inside.delete(node.name);
      parent.inside.set(name, node);
      node.name = name;
    },
    unlink(parent, name) {
      guarded(() => {
        supply.flush();
        parent.inside.get(name).slot.clear();
      });
      parent.inside.delete(name);
    },
    rmdir(parent, name) {
      if (parent.inside.get(name).inside.size) refuse(ENOTEMPTY);
      parent.inside.delete(name);
    },
    readdir: (node) => [".", "..", ...node.inside.keys()],
  };

  const streams = {
    read(stream, buffer, offset, length, position) {
      const into = buffer.subarray(offset, offset + length);
      return guarded(() => stream.node.slot.handle.read(into, { at: PAGE + position }));
    },
    write(stream, buffer, offset, length, position) {
      const { node } = stream;
      return guarded(() => {
        supply.order(node.slot, position);
        const from = buffer.subarray(offset, offset + length);
        const written = node.slot.handle.write(from, { at: PAGE + position });
        node.changed = Date.now();
        return written || !length ? written : refuse(ENOSPC);
      });
    },
    llseek(stream, offset, whence) {
      if (whence === 1) return stream.position + offset;
      return whence === 2 ? stream.node.slot.size + offset : offset;
    },
    fsync() {
      guarded(() => supply.flush());
      return 0;
    },
  };

  return {
    mount() {
      const root = make(null, "/", FOLDER);
      for (const slot of supply.files()) {
        const names = slot.name.split("/");
        const name = names.pop();
        let folder = root;
        for (const one of names) folder = folder.inside.get(one) ?? make(folder, one, FOLDER);
        make(folder, name, FILE, slot);
      }
      return root;
    },
  };
}
