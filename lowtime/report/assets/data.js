// The data block: base64 of gzip of a header and typed arrays (written by payload.py).

const ARRAY_TYPES = { i1: Int8Array, i4: Int32Array, f8: Float64Array };

/** The header, with the arrays by name under `arrays`. */
async function readData(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const headerLength = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, headerLength)));
  let position = 4 + headerLength;
  const arrays = {};
  for (const [name, [type, length]] of Object.entries(header.arrays)) {
    position += (8 - (position % 8)) % 8;
    arrays[name] = new ARRAY_TYPES[type](buffer, position, length);
    position += arrays[name].byteLength;
  }
  return { ...header, arrays };
}
