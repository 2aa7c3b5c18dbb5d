import { deployPeopleWorker } from '../ceilings/people-workers.ts'
import { AppClient } from '../harness/app-client.ts'
import { atLeast, atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { measureLoad } from '../harness/load.ts'
import { loadFigures, measureRounds, type Target } from '../harness/rounds.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'
import { SEEDED_NOTES, shipApp } from '../worlds/notes-app.ts'
import { openWorkbench } from '../worlds/workbench.ts'

export const appPeople: Benchmark = {
  id: 'P23',
  name: 'app-people',
  measures: 'What a signed-in person waits for in a built app: own records, shared records, signing in',
  goals: [
    'list and write >= 0.6 of a bare worker with SQLite objects that checks a session',
    'signing in <= 1.2 of hashing the password alone',
  ],
  tools: ['wrk'],
  run: measurePeople,
}

const APP_MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['data', 'auth'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Notes', access: 'public' }],
  collections: {
    own: { partition: 'user', read: 'owner', write: 'owner', fields: { text: { type: 'text' } } },
    shared: { partition: 'app', read: 'members', write: 'members', fields: { text: { type: 'text' } } },
  },
}

const ROUTES_TS = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/own', async (c) => c.json((await data.as(c.req.raw).list('own', { limit: 20 })).items))
routes.post('/own', async (c) => c.json(await data.as(c.req.raw).create('own', await c.req.json())))
routes.get('/shared', async (c) => c.json((await data.as(c.req.raw).list('shared', { limit: 20 })).items))
routes.post('/shared', async (c) => c.json(await data.as(c.req.raw).create('shared', await c.req.json())))
`

const HOME_TSX = `import { Page } from '@slipway/app/react'

export default function Home() {
  return <Page title="Notes">Notes</Page>
}
`

const NOTES_TEST = `import { app, expect, test } from '@slipway/app/testing'

test('a person keeps a note', async () => {
  const ada = await app.signUp('Ada')
  expect((await ada.post('/api/own', { text: 'One' })).status).toBe(200)
})
`

const APP_FILES = {
  'app.json': JSON.stringify(APP_MANIFEST, null, 2),
  'server/routes.ts': ROUTES_TS,
  'web/pages/Home.tsx': HOME_TSX,
  'tests/notes.test.ts': NOTES_TEST,
}

const SAMPLE_NOTE = { text: 'Water the fern in the hall' }
const SAMPLE_ACCOUNT = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' }
/** The number of sign-ins, below the limit per network address and minute, so that no sign-in is refused. */
const SIGN_INS = 15

interface Side {
  url: string
  cookie: string
}

async function measurePeople(options: Options): Promise<MeasuredFigure[]> {
  const workbench = await openWorkbench()
  try {
    const url = await shipApp(workbench, ['data', 'auth'], APP_FILES)
    const bareUrl = await deployPeopleWorker(workbench.service)
    const sides: Record<'ours' | 'object worker', Side> = {
      ours: { url, cookie: await signUp(url) },
      'object worker': { url: bareUrl, cookie: await openSession(bareUrl) },
    }
    for (const side of Object.values(sides))
      for (const path of ['/api/own', '/api/shared']) await seedNotes(side, path)

    const { appsPort } = workbench.service
    const target = (name: keyof typeof sides, method: 'GET' | 'POST', path: string): Target => ({
      name,
      measure: () => {
        const { url: at, cookie } = sides[name]
        const headers = { Host: new URL(at).host, 'content-type': 'application/json', Cookie: cookie }
        const body = method === 'POST' ? { body: JSON.stringify(SAMPLE_NOTE) } : {}
        const load = { method, paths: [path], headers, ...body }
        return measureLoad(`http://127.0.0.1:${appsPort}`, load, { seconds: options.seconds, pids: [] })
      },
    })
    const compare = async (figure: string, method: 'GET' | 'POST', path: string): Promise<MeasuredFigure> => {
      const targets: [Target, Target] = [target('ours', method, path), target('object worker', method, path)]
      const series = await measureRounds(targets, options.rounds ?? 3)
      const [requests] = loadFigures(series, {
        targets,
        rows: SEEDED_NOTES,
        requests: atLeast(0.6),
        cpu: null,
      })
      return { ...requests, figure, cpuUs: null }
    }
    return [
      await compare('own list of 20', 'GET', '/api/own'),
      await compare('own write', 'POST', '/api/own'),
      await compare('shared list of 20', 'GET', '/api/shared'),
      await compare('shared write', 'POST', '/api/shared'),
      await measureSignIn(url, bareUrl),
    ]
  } finally {
    await workbench.close()
  }
}

async function measureSignIn(url: string, bareUrl: string): Promise<MeasuredFigure> {
  const [ours, bare]: [number[], number[]] = [[], []]
  const [app, worker] = [new AppClient(url), new AppClient(bareUrl)]
  try {
    for (let n = 0; n < SIGN_INS; n++) {
      ours.push(await timeRequest(() => app.post('/_app/auth/sign-in', SAMPLE_ACCOUNT)))
      bare.push(await timeRequest(() => worker.post('/hash', SAMPLE_ACCOUNT)))
    }
  } finally {
    app.close()
    worker.close()
  }
  const ratio = ratios(ours, bare)
  return absolute({
    figure: 'sign in',
    unit: 'ms',
    value: median(ours),
    against: 'the hash alone',
    baseline: median(bare),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: atMost(1.2),
    rounds: SIGN_INS,
    steady: isSteady(ratio, bare),
  })
}

async function timeRequest(work: () => Promise<{ status: number; text: string }>): Promise<number> {
  const began = performance.now()
  const { status, text } = await work()
  if (status !== 200) throw new Error(`${status} ${text}`)
  return performance.now() - began
}

async function signUp(url: string): Promise<string> {
  const app = new AppClient(url)
  try {
    const { status, text, cookie } = await app.post('/_app/auth/sign-up', SAMPLE_ACCOUNT)
    if (cookie === null) throw new Error(`sign-up answered ${status} ${text}`)
    return cookie
  } finally {
    app.close()
  }
}

async function openSession(url: string): Promise<string> {
  const worker = new AppClient(url)
  try {
    return `app_session=${(await worker.post('/session', {})).text}`
  } finally {
    worker.close()
  }
}

/** Stores more notes than one page of the list has, so that every measured response is a full page. */
async function seedNotes({ url, cookie }: Side, path: string): Promise<void> {
  const app = new AppClient(url, cookie)
  try {
    for (let n = 0; n < SEEDED_NOTES; n++) {
      const { status, text } = await app.post(path, SAMPLE_NOTE)
      if (status !== 200) throw new Error(`${url}${path} answered ${status} ${text}`)
    }
  } finally {
    app.close()
  }
}
