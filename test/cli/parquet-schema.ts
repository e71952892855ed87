import { writeFileSync } from 'node:fs';

/**
 * Returns how to write a Parquet file that is only a footer, with a schema of any shape.
 *
 * @param children The number of children of each node, from the root on.
 */
export function writeParquetSchema(children: readonly number[]): (file: string) => void {
  const footer = Buffer.from([
    // https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
    ...[0x15, 2], // FileMetaData.version = 1
    ...[0x19, 0xfc, ...varint(children.length)], // FileMetaData.schema: a list of structs
    ...children.flatMap((count, index) => describeNode(`c${index}`, count)),
    ...[0x16, 0], // FileMetaData.num_rows = 0
    ...[0x19, 0x0c], // FileMetaData.row_groups: an empty list of structs
    0,
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(footer.length);
  return (file) => writeFileSync(file, Buffer.concat([Buffer.from('PAR1'), footer, size, Buffer.from('PAR1')]));
}

/** Describes a SchemaElement: a group, or a number without children. */
function describeNode(name: string, children: number): number[] {
  const encoded = [...varint(name.length), ...Buffer.from(name)];
  if (children > 0) return [0x35, 2, 0x18, ...encoded, 0x15, ...varint(2 * children), 0];
  return [0x15, 4, 0x25, 2, 0x18, ...encoded, 0];
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
