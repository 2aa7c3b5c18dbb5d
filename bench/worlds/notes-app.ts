import { AppClient } from '../harness/app-client.ts'
import type { Load } from '../harness/load-run.ts'
import type { Workbench } from './workbench.ts'

const NOTES_MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Notes', access: 'public' }],
  collections: {
    notes: { partition: 'app', read: 'public', write: 'public', fields: { text: { type: 'text' } } },
  },
}

const ROUTES_TS = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/notes', async (c) => c.json((await data.system.list('notes', { limit: 20 })).items))
routes.post('/notes', async (c) => c.json(await data.system.create('notes', await c.req.json())))
`

const NOTES_TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a note is kept', async () => {
  const kept = await app.post('/api/notes', { text: 'One' })
  expect(kept.status).toBe(200)
})
`

const HOME_TSX = `import { Page } from '@slipway/app/react'

export default function Home() {
  return <Page title="Notes">Notes</Page>
}
`

export const SEEDED_NOTES = 40
const SAMPLE_NOTE = { text: 'Water the fern in the hall' }

export const loadOf = (url: string, method: 'GET' | 'POST'): Load => ({
  method,
  paths: ['/api/notes'],
  headers: { Host: new URL(url).host, 'content-type': 'application/json' },
  ...(method === 'POST' && { body: JSON.stringify(SAMPLE_NOTE) }),
})

/** Stores more notes than one page of the list has, so that every measured response is a full page. */
export async function seed(url: string): Promise<void> {
  const app = new AppClient(url)
  try {
    for (let n = 0; n < SEEDED_NOTES; n++) {
      const { status, text } = await app.post('/api/notes', SAMPLE_NOTE)
      if (status !== 200) throw new Error(`${url} answered ${status} ${text}`)
    }
  } finally {
    app.close()
  }
}

/** Builds and ships an app that lists and stores notes. Returns its address. */
export const shipNotes = (workbench: Workbench): Promise<string> =>
  shipApp(workbench, ['data'], {
    'app.json': JSON.stringify(NOTES_MANIFEST, null, 2),
    'server/routes.ts': ROUTES_TS,
    'web/pages/Home.tsx': HOME_TSX,
    'tests/notes.test.ts': NOTES_TEST,
  })

/** Builds an app from these files, switches on the capabilities, and ships it. Returns its address. */
export async function shipApp(
  { api, createProject, build }: Workbench,
  capabilities: string[],
  files: Record<string, string>,
): Promise<string> {
  const projectId = await createProject()
  await build(projectId, [
    { toolCalls: capabilities.map((key) => ({ name: 'enable_capability', args: { key } })) },
    {
      toolCalls: Object.entries(files).map(([path, content]) => ({
        name: 'write_file',
        args: { path, content },
      })),
    },
    { toolCalls: [{ name: 'finish', args: { summary: 'Notes are kept.' } }] },
  ])
  const { url } = await api.call<{ url: string }>('POST', `/projects/${projectId}/deploy`)
  return url
}
