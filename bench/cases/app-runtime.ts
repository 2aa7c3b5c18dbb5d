import { deployNoteWorkers } from '../ceilings/workers.ts'
import { AppClient } from '../harness/app-client.ts'
import { atLeast, type Benchmark, type Options } from '../harness/benchmark.ts'
import type { Measured } from '../harness/figure.ts'
import { type Load, measureLoad } from '../harness/load.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

export const appRuntime: Benchmark = {
  id: 'P23',
  name: 'app-runtime',
  measures: "A built app's list of twenty records and its writes on the local cloud, through the router",
  goals: ['>= 0.6 of a bare worker with a SQLite object', '>= 1.0 of a bare worker with D1'],
  tools: ['wrk'],
  run: measureRuntime,
}

const MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Notes', access: 'public' }],
  collections: {
    notes: { partition: 'app', read: 'public', write: 'public', fields: { text: { type: 'text' } } },
  },
}

const ROUTES = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/notes', async (c) => c.json((await data.system.list('notes', { limit: 20 })).items))
routes.post('/notes', async (c) => c.json(await data.system.create('notes', await c.req.json())))
`

const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a note is kept', async () => {
  const kept = await app.post('/api/notes', { text: 'One' })
  expect(kept.status).toBe(200)
})
`

const HOME = `import { Page } from '@slipway/app/react'

export default function Home() {
  return <Page title="Notes">Notes</Page>
}
`

const SEEDED = 40
const NOTE = { text: 'Water the fern in the hall' }

async function measureRuntime(options: Options): Promise<Measured[]> {
  const workbench = await openWorkbench()
  try {
    const ours = await shipNotes(workbench)
    const byHand = await deployNoteWorkers(workbench.service)
    const urls = { ours, 'object worker': byHand.object, 'D1 worker': byHand.d1 }
    const { appsPort } = workbench.service
    for (const url of Object.values(urls)) await seed(url)
    const target = (name: keyof typeof urls, method: 'GET' | 'POST'): Target => ({
      name,
      measure: () =>
        measureLoad(`http://127.0.0.1:${appsPort}`, loadOf(urls[name], method), {
          seconds: options.seconds,
          pids: [],
        }),
    })
    const compare = async (
      what: string,
      method: 'GET' | 'POST',
      against: keyof typeof urls,
      bound: number,
    ) => {
      const targets: [Target, Target] = [target('ours', method), target(against, method)]
      const series = await measureRounds(targets, options.rounds ?? 3)
      const [requests] = loadFigures(series, { targets, rows: SEEDED, requests: atLeast(bound), cpu: null })
      return { ...(requests as Measured), figure: what, cpuUs: null }
    }
    return [
      await compare('list of 20', 'GET', 'object worker', 0.6),
      await compare('list of 20', 'GET', 'D1 worker', 1),
      await compare('write', 'POST', 'object worker', 0.6),
      await compare('write', 'POST', 'D1 worker', 1),
    ]
  } finally {
    await workbench.close()
  }
}

const loadOf = (url: string, method: 'GET' | 'POST'): Load => ({
  method,
  paths: ['/api/notes'],
  headers: { Host: new URL(url).host, 'content-type': 'application/json' },
  ...(method === 'POST' && { body: JSON.stringify(NOTE) }),
})

/** Enough that every list is full from the first request on, on all sides. */
async function seed(url: string): Promise<void> {
  const app = new AppClient(url)
  try {
    for (let n = 0; n < SEEDED; n++) {
      const { status, text } = await app.post('/api/notes', NOTE)
      if (status !== 200) throw new Error(`${url} answered ${status} ${text}`)
    }
  } finally {
    app.close()
  }
}

async function shipNotes({ api, createProject, build }: Workbench): Promise<string> {
  const projectId = await createProject()
  const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } })
  await build(projectId, [
    { toolCalls: [{ name: 'enable_capability', args: { key: 'data' } }] },
    {
      toolCalls: [
        write('app.json', JSON.stringify(MANIFEST, null, 2)),
        write('server/routes.ts', ROUTES),
        write('web/pages/Home.tsx', HOME),
        write('tests/notes.test.ts', TEST),
      ],
    },
    { toolCalls: [{ name: 'finish', args: { summary: 'Notes are kept.' } }] },
  ])
  const { url } = await api.call<{ url: string }>('POST', `/projects/${projectId}/deploy`)
  return url
}
