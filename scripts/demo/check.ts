import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { Manifest } from './api.ts'

/** Connects every `*.localhost` name to this machine, as browsers do. Node does not resolve such names. */
const appDispatcher = new Agent({
  connect: {
    lookup: (_name, options, done) =>
      options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  },
})

/**
 * Opens the live app and stores a record in it, if visitors may do that. Removes the record again, so that the app is empty when its owner
 * first opens it.
 */
export async function checkLiveApp(url: string, manifest: Manifest): Promise<string> {
  const page = await untilOk(url)
  if (!page.includes('<div id="root"')) throw new Error(`${url} answers, but not with the app.`)
  // Choose a collection that every visitor may read and write.
  const [collection, shape] =
    Object.entries(manifest.collections ?? {}).find(
      ([, { read, write }]) => read === 'public' && write === 'public',
    ) ?? []
  if (collection === undefined || shape === undefined) return 'The live app answers'
  const values = Object.entries(shape.fields)
    .filter(([, field]) => field.required === true)
    .map(([name, field]) => [name, SAMPLE_VALUES[field.type] ?? null])
  const id = await storeRecord(url, collection, Object.fromEntries(values))
  const found = (await callApp(url, `/_app/data/${collection}/${id}`)) as { id: string }
  if (found.id !== id) throw new Error('The live app lost the record it had stored.')
  await fetch(`${url}/api/${collection}/${id}`, {
    method: 'DELETE',
    headers: { origin: url },
    dispatcher: appDispatcher,
  })
  return `The live app stored a record in ${collection} and gave it back`
}

const SAMPLE_VALUES: Record<string, unknown> = {
  text: 'Sample',
  number: 1,
  boolean: true,
  date: '2026-01-31',
}

async function untilOk(url: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, { dispatcher: appDispatcher })
    if (response.ok) return response.text()
    if (tries === 20) throw new Error(`${url} answers ${response.status}.`)
    await sleep(250)
  }
}

async function storeRecord(url: string, collection: string, fields: object): Promise<string> {
  const body = { mutationId: randomUUID(), ops: [{ op: 'create', collection, fields }] }
  const { records } = (await callApp(url, '/_app/data/mutate', body)) as { records: { id: string }[] }
  if (records[0] === undefined) throw new Error('The live app did not answer with the stored record.')
  return records[0].id
}

async function callApp(url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(url + path, {
    dispatcher: appDispatcher,
    headers: { 'content-type': 'application/json', origin: url },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const envelope = (await response.json()) as { ok: boolean; data?: unknown; error?: { message: string } }
  if (!envelope.ok) throw new Error(`${path} of the live app: ${envelope.error?.message ?? response.status}`)
  return envelope.data
}
