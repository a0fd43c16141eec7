/**
 * Files to tables. By content more than by name; nothing is run, and what a header promises must be in the file.
 *
 * `read(name, content)` gives the rows of a .npy, .npz, .csv, .tsv, .json, text or .safetensors file, of format and
 * byte order as they come, or throws Unreadable: a key of content/en/check.md with its numbers, and the sentence itself
 * where `strings` are given. Mirrors posenc/check/readers.py, without PyTorch; touches no page.
 */
(function () {
  "use strict";

  const posenc = (globalThis.posenc = globalThis.posenc || {});
  const check = (posenc.check = posenc.check || {});
  const { Unreadable, fromText, fromJson } = check.text;

  const MAX_BYTES = 2 ** 29;
  const MAX_TEXT = 2 ** 26;
  const MAX_PAGE_CELLS = 2 ** 21; // of a table that is judged in the page: 2048 × 1024
  const MB = 10 ** 6;
  const HEADER = 2 ** 24; // bytes of a safetensors header
  const TORCH_MAGIC = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"; // near the beginning of files of the format before the archives
  const PICKLES = [".pkl", ".pickle"];

  /** @typedef {import("./text.js").Flat} Flat */
  /** @typedef {{name: string, kind: string, size: number, read: (view: DataView, at: number, little: boolean) => number}} Type */
  /**
   * @typedef {object} Read
   * @property {Float64Array[]} rows
   * @property {string} dtype the format that the file had
   * @property {"" | "header" | "index" | "both"} without what was left out
   */

  /** @type {Type["read"]} */
  function half(view, at, little) {
    const bits = view.getUint16(at, little);
    const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
    const size = exponent === 31 ? (fraction ? NaN : Infinity) : exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
    return bits >> 15 ? -size : size;
  }

  /** @param {"getFloat64" | "getFloat32" | "getInt8" | "getInt16" | "getInt32" | "getUint8" | "getUint16" | "getUint32" | "getBigInt64" | "getBigUint64"} get @returns {Type["read"]} */
  const by = (get) => (view, at, little) => Number(view[get](at, little));

  /** @type {Record<string, Type>} */
  const TYPES = {
    f8: { name: "float64", kind: "f", size: 8, read: by("getFloat64") },
    f4: { name: "float32", kind: "f", size: 4, read: by("getFloat32") },
    f2: { name: "float16", kind: "f", size: 2, read: half },
    i8: { name: "int64", kind: "i", size: 8, read: by("getBigInt64") },
    i4: { name: "int32", kind: "i", size: 4, read: by("getInt32") },
    i2: { name: "int16", kind: "i", size: 2, read: by("getInt16") },
    i1: { name: "int8", kind: "i", size: 1, read: by("getInt8") },
    u8: { name: "uint64", kind: "u", size: 8, read: by("getBigUint64") },
    u4: { name: "uint32", kind: "u", size: 4, read: by("getUint32") },
    u2: { name: "uint16", kind: "u", size: 2, read: by("getUint16") },
    u1: { name: "uint8", kind: "u", size: 1, read: by("getUint8") },
  };

  /** The upper half of a float32. @type {Type} */
  const BFLOAT16 = {
    name: "float32",
    kind: "f",
    size: 2,
    read(view, at, little) {
      const whole = new DataView(new ArrayBuffer(4));
      whole.setUint16(0, view.getUint16(at, little));
      return whole.getFloat32(0);
    },
  };

  /** @type {Record<string, Type>} */
  const SAFE = {
    F64: TYPES.f8,
    F32: TYPES.f4,
    F16: TYPES.f2,
    BF16: BFLOAT16,
    I64: TYPES.i8,
    I32: TYPES.i4,
    I16: TYPES.i2,
    I8: TYPES.i1,
    U8: TYPES.u1,
  };

  /**
   * The table of a file, two-dimensional.
   * @param {string} name of the file
   * @param {Uint8Array | ArrayBuffer | string} content
   * @param {object} [options]
   * @param {string | null} [options.array] which one, of a file that holds several
   * @param {Record<string, string>} [options.strings] with them an error's message is its sentence
   * @returns {Promise<Read>}
   */
  async function read(name, content, { array = null, strings } = {}) {
    try {
      const bytes = bytesOf(content);
      if (bytes.length === 0) {
        throw new Unreadable("empty");
      }
      smallEnough(bytes.length, MAX_BYTES);
      const found = await of(name, bytes, array);
      return { ...tableOf(found.array, name), without: found.without };
    } catch (error) {
      if (error instanceof Unreadable && strings) {
        error.message = check.sentences.reason(error, strings);
      }
      throw error;
    }
  }

  /** @param {Uint8Array | ArrayBuffer | string} content */
  function bytesOf(content) {
    if (typeof content === "string") {
      return new TextEncoder().encode(content);
    }
    return content instanceof Uint8Array ? content : new Uint8Array(content);
  }

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   * @param {string | null} wanted
   * @returns {Promise<{array: Flat, without: any}>}
   */
  async function of(name, bytes, wanted) {
    const suffix = (/[^/\\](\.[^./\\]+)$/.exec(name)?.[1] ?? "").toLowerCase();
    const plain = (/** @type {Flat} */ array) => ({ array, without: "" });
    if (begins(bytes, "\x93NUMPY")) {
      return plain(npy(bytes));
    }
    if (begins(bytes, "PK")) {
      return plain(await zip(name, suffix, bytes, wanted));
    }
    if (suffix === ".safetensors") {
      return plain(safetensors(bytes, wanted));
    }
    const torch = String.fromCharCode(...bytes.subarray(0, 64)).includes(TORCH_MAGIC);
    if (PICKLES.includes(suffix) || (begins(bytes, "\x80") && !torch)) {
      throw new Unreadable("objects");
    }
    if (torch) {
      throw new Unreadable("command-line", { name });
    }
    smallEnough(bytes.length, MAX_TEXT);
    if (suffix === ".json" || looksLikeJson(bytes)) {
      try {
        return plain(chosen(fromJson(bytes), wanted));
      } catch (error) {
        if (suffix === ".json" || !(error instanceof Unreadable) || error.key !== "json") {
          throw error;
        }
      }
    }
    return fromText(bytes);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {string} signs
   */
  function begins(bytes, signs) {
    return [...signs].every((sign, place) => bytes[place] === sign.charCodeAt(0));
  }

  /** @param {Uint8Array} bytes */
  function looksLikeJson(bytes) {
    const skipped = [0xef, 0xbb, 0xbf, 0x20, 0x0d, 0x0a, 0x09];
    const first = bytes.find((byte) => !skipped.includes(byte));
    return first === 0x5b || first === 0x7b;
  }

  /**
   * @param {number} size
   * @param {number} limit
   */
  function smallEnough(size, limit) {
    if (size > limit) {
      throw new Unreadable("large", { size: Math.ceil(size / MB), limit: Math.floor(limit / MB) });
    }
  }

  /**
   * @param {number} cells
   * @param {number} limit
   */
  function fewEnough(cells, limit) {
    if (cells > limit) {
      throw new Unreadable("cells", { cells, limit });
    }
  }

  /**
   * Real numbers in two dimensions, extra ones of length 1 squeezed.
   * @param {Flat} array
   * @param {string} name
   */
  function tableOf({ shape, data, dtype, kind }, name) {
    if (!"iuf".includes(kind)) {
      throw new Unreadable("kind", { kind: dtype });
    }
    const told = shape.join(" × ") || "1";
    if (data.length === 0) {
      throw new Unreadable("no-cells", { shape: told });
    }
    fewEnough(data.length, check.judge.MAX_CELLS);
    const kept = [...shape];
    while (kept.length > 2 && kept.includes(1)) {
      kept.splice(kept.indexOf(1), 1);
    }
    if (kept.length !== 2) {
      throw new Unreadable("rank", { rank: shape.length, shape: told });
    }
    if (data.length > MAX_PAGE_CELLS) {
      throw new Unreadable("page-cells", { cells: data.length, limit: MAX_PAGE_CELLS, name });
    }
    const [height, width] = kept;
    const rows = Array.from({ length: height }, (_, row) => data.subarray(row * width, (row + 1) * width));
    return { rows, dtype };
  }

  /**
   * The one that was named, or the only one.
   * @template T
   * @param {Map<string, T>} arrays
   * @param {string | null} wanted
   * @returns {T}
   */
  function chosen(arrays, wanted) {
    const all = [...arrays.keys()];
    const names = all.slice(0, 20).join(", ");
    if (wanted !== null && arrays.has(wanted)) {
      return /** @type {T} */ (arrays.get(wanted));
    }
    if (wanted !== null && !(all.length === 1 && all[0] === "")) {
      throw new Unreadable("no-name", { wanted, names: names || "none" });
    }
    if (all.length !== 1) {
      throw all.length ? Object.assign(new Unreadable("names", { names }), { arrays: all }) : new Unreadable("no-numbers");
    }
    return /** @type {T} */ (arrays.get(all[0]));
  }

  /**
   * Numbers in a row, as a flat array.
   * @param {Uint8Array} bytes
   * @param {number} begin
   * @param {number[]} shape
   * @param {Type} type
   * @param {boolean} [little]
   * @returns {Flat}
   */
  function unpacked(bytes, begin, shape, type, little = true) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + begin, bytes.length - begin);
    const data = new Float64Array(product(shape));
    for (let place = 0; place < data.length; place += 1) {
      data[place] = type.read(view, place * type.size, little);
    }
    return { shape, data, dtype: type.name, kind: type.kind };
  }

  /** @param {number[]} numbers */
  function product(numbers) {
    return numbers.reduce((made, number) => made * number, 1);
  }

  // ---- NumPy ----

  /**
   * Its header is read first: what it promises must be in the file.
   * @param {Uint8Array} bytes
   * @returns {Flat}
   */
  function npy(bytes) {
    const { descr, fortran, shape, begin } = npyHeader(bytes);
    const [, order, code] = /^([<>=|]?)([a-zA-Z]\d*)/.exec(descr) ?? [];
    if (!code) {
      throw new Unreadable("npy", { because: "header" });
    }
    if (code[0] === "O") {
      throw new Unreadable("objects");
    }
    const cells = product(shape);
    fewEnough(cells, check.judge.MAX_CELLS);
    const type = TYPES[code];
    if (cells * (type?.size ?? 1) > bytes.length - begin) {
      throw new Unreadable("npy", { because: "short" });
    }
    if (!type) {
      throw new Unreadable("kind", { kind: foreign(code, descr) });
    }
    const array = unpacked(bytes, begin, shape, type, order !== ">");
    return fortran ? turned(array) : array;
  }

  /** @param {Uint8Array} bytes */
  function npyHeader(bytes) {
    const [major, minor] = [bytes[6], bytes[7]];
    const sized = major === 1 ? 2 : 4;
    const begin = 8 + sized;
    if (!(major >= 1 && major <= 3 && minor === 0) || bytes.length < begin) {
      throw new Unreadable("npy", { because: "header" });
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const length = sized === 2 ? view.getUint16(8, true) : view.getUint32(8, true);
    const text = new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(bytes.subarray(begin, begin + length));
    const descr = /['"]descr['"]\s*:\s*(?:['"]([^'"]*)['"]|\[)/.exec(text);
    const fortran = /['"]fortran_order['"]\s*:\s*(True|False)\b/.exec(text);
    const shape = /['"]shape['"]\s*:\s*\(([\d\s,L]*)\)/.exec(text);
    if (bytes.length < begin + length || !descr || !fortran || !shape) {
      throw new Unreadable("npy", { because: "header" });
    }
    const sides = shape[1].split(",").flatMap((side) => (/\d/.test(side) ? [parseInt(side, 10)] : []));
    const records = /['"]\|?O\d*['"]/.test(text) ? "O" : "V"; // columns with names, which are no numbers
    return { descr: descr[1] ?? records, fortran: fortran[1] === "True", shape: sides, begin: begin + length };
  }

  /**
   * NumPy's name of what is no real number.
   * @param {string} code
   * @param {string} descr
   */
  function foreign(code, descr) {
    const size = 8 * Number(code.slice(1));
    const unit = /\[.*\]$/.exec(descr)?.[0] ?? "";
    const names = { b: "bool", c: `complex${size}`, f: `float${size}`, M: `datetime64${unit}`, m: `timedelta64${unit}` };
    const texts = { U: `str${4 * size}`, S: `bytes${size}`, V: size ? `void${size}` : "void" };
    return { ...names, ...texts }[/** @type {"b"} */ (code[0])] ?? code;
  }

  /**
   * Columns first to rows first.
   * @param {Flat} array
   * @returns {Flat}
   */
  function turned(array) {
    const { shape } = array;
    const data = new Float64Array(array.data.length);
    const steps = shape.map((_, axis) => product(shape.slice(0, axis)));
    const place = shape.map(() => 0);
    for (let to = 0; to < data.length; to += 1) {
      data[to] = array.data[place.reduce((from, index, axis) => from + index * steps[axis], 0)];
      for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
        place[axis] += 1;
        if (place[axis] < shape[axis]) {
          break;
        }
        place[axis] = 0;
      }
    }
    return { ...array, data };
  }

  // ---- zip ----

  /** @typedef {{method: number, flags: number, packed: number, size: number, sum: number, at: number}} Member */

  /**
   * An .npz is a zip of .npy files; any other is taken for PyTorch's.
   * @param {string} name
   * @param {string} suffix
   * @param {Uint8Array} bytes
   * @param {string | null} wanted
   */
  async function zip(name, suffix, bytes, wanted) {
    const members = membersOf(bytes);
    if (members.size) {
      const member = chosen(members, wanted);
      smallEnough(member.size, MAX_BYTES);
      return npy(await contentOf(bytes, member));
    }
    throw suffix === ".npz" ? new Unreadable("no-numbers") : new Unreadable("command-line", { name });
  }

  /** @param {string} because */
  function broken(because = "packed") {
    return new Unreadable("npy", { because });
  }

  /**
   * The .npy files of a zip, by name, from the list at its end.
   * @param {Uint8Array} bytes
   * @returns {Map<string, Member>}
   */
  function membersOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) {
      end -= 1;
      if (end < bytes.length - 22 - 0xffff) {
        throw broken();
      }
    }
    if (end < 0) {
      throw broken();
    }
    const members = new Map();
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
      if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) {
        throw broken();
      }
      const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
      const [sum, packed, size] = [16, 20, 24].map((place) => view.getUint32(at + place, true));
      const [named, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      const file = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + named));
      if (file.endsWith(".npy")) {
        const member = { flags, method, sum, packed, size, at: view.getUint32(at + 42, true) };
        members.set(file.slice(0, -4), member);
      }
      at += 46 + named + extra + comment;
    }
    return members;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {Member} member
   */
  async function contentOf(bytes, { flags, method, packed, size, sum, at }) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (at + 30 > bytes.length || view.getUint32(at, true) !== 0x04034b50 || flags & 1) {
      throw broken();
    }
    const begin = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const raw = bytes.subarray(begin, begin + packed);
    if (raw.length !== packed || (method !== 0 && method !== 8)) {
      throw broken();
    }
    const content = method === 0 ? raw : await inflated(raw, size);
    if (content.length !== size || checksum(content) !== sum) {
      throw broken();
    }
    return content;
  }

  /**
   * What was deflated, of the size that was promised and no more.
   * @param {Uint8Array} raw
   * @param {number} size
   */
  async function inflated(raw, size) {
    const content = new Uint8Array(size);
    let filled = 0;
    try {
      const reader = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        content.set(part.value, filled); // throws where there is more than was promised
        filled += part.value.length;
      }
    } catch {
      throw broken();
    }
    return content.subarray(0, filled);
  }

  const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
    return sum;
  });

  /** The CRC-32 of a zip. @param {Uint8Array} bytes */
  function checksum(bytes) {
    let sum = 0xffffffff;
    for (let place = 0; place < bytes.length; place += 1) {
      sum = CRC[(sum ^ bytes[place]) & 255] ^ (sum >>> 8);
    }
    return ~sum >>> 0;
  }

  // ---- safetensors ----

  /**
   * Eight bytes of length, a header in JSON, then the numbers.
   * @param {Uint8Array} bytes
   * @param {string | null} wanted
   */
  function safetensors(bytes, wanted) {
    const faulty = (/** @type {string} */ because) => new Unreadable("safetensors", { because });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const length = bytes.length < 8 ? 0 : Number(view.getBigUint64(0, true));
    if (!(length >= 2 && length <= Math.min(bytes.length - 8, HEADER))) {
      throw faulty("header");
    }
    let header;
    try {
      header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, 8 + length)));
    } catch {
      throw faulty("header");
    }
    const tensors = Object.entries(header ?? {}).filter(([key]) => key !== "__metadata__");
    if (typeof header !== "object" || Array.isArray(header)) {
      throw faulty("header");
    }
    const told = chosen(new Map(tensors), wanted);
    const whole = (/** @type {any} */ numbers) => Array.isArray(numbers) && numbers.every(Number.isInteger);
    if (!told || !whole(told.shape) || !whole(told.data_offsets) || told.data_offsets.length !== 2 || !("dtype" in told)) {
      throw faulty("header");
    }
    const { shape, dtype } = told;
    const [begin, end] = told.data_offsets;
    const type = Object.hasOwn(SAFE, dtype) ? SAFE[dtype] : null;
    if (type === null) {
      throw new Unreadable("kind", { kind: String(dtype) });
    }
    const promised = end - begin === product(shape) * type.size && end <= bytes.length - 8 - length;
    if (Math.min(begin, ...shape) < 0 || !promised) {
      throw faulty("short");
    }
    fewEnough(product(shape), check.judge.MAX_CELLS);
    return unpacked(bytes, 8 + length + begin, shape, type);
  }

  check.readers = { MAX_BYTES, MAX_TEXT, MAX_PAGE_CELLS, read };
  check.read = read;
})();
