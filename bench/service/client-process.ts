import { createReadStream } from 'node:fs';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';

// A client of the service in its own process. It sends the events of a file in full batches, several at a time.

const BATCH = 1_000;
const AT_ONCE = 4;

const [address = '', secret = '', token = '', versionId = '', file = ''] = process.argv.slice(2);

// The server uses a self-signed certificate.
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, rejectUnauthorized: false });
const headers = {
  authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
};

function send(records: readonly string[]): Promise<void> {
  const data = Buffer.from(`[${records.join(',')}]`).toString('base64url');
  const body = `dataset_id=bench&dataset_version=${versionId}&data=${data}`;
  return new Promise((resolve, reject) => {
    const sent = request(`${address}import-events`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => (text === '1' ? resolve() : reject(new Error(`${response.statusCode}: ${text}`))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function* batches(): AsyncGenerator<string[]> {
  let records: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    records.push(line.replace('"properties":{', () => `"properties":{"token":"${token}",`));
    if (records.length < BATCH) continue;
    yield records;
    records = [];
  }
  if (records.length > 0) yield records;
}

const pending = new Set<Promise<void>>();
for await (const records of batches()) {
  const sent = send(records).finally(() => pending.delete(sent));
  pending.add(sent);
  if (pending.size >= AT_ONCE) await Promise.race(pending);
}
await Promise.all(pending);
agent.destroy();
