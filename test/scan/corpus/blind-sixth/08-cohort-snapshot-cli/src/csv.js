import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

export async function openCsv(file, columns) {
  await mkdir(dirname(file), { recursive: true });
  const out = stringify({ header: true, columns });
  const sink = out.pipe(createWriteStream(file));
  return {
    write: (row) => out.write(row),
    close: () => {
      out.end();
      return finished(sink);
    },
  };
}
