import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CloudflareError } from '../cloudflare/errors.ts'
import { nameTaken } from '../resources/registry.ts'
import { readMove } from '../moves/moves.ts'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import type { AppInAccount, BucketObject, RowCursor } from './app-transfer.ts'
import type { copyProjectData, disableNewAddress, releaseHold } from './copy-project-data.ts'

/** The functions that reach an app or an account, grouped by module. The tests replace these functions. */
const REMOTE: Record<string, string[]> = {
  '../capabilities/switch/make-resources.ts': ['ResourceMaker'],
  '../capabilities/operator/call.ts': ['adminWorkerAddress'],
  '../resources/probe.ts': ['waitUntilHealthy'],
  '../cloudflare/products/queues.ts': ['findQueue', 'countMessages'],
  '../cloudflare/products/workers.ts': ['disableAddress'],
  './app-transfer.ts': [
    'holdApp',
    'ownBuckets',
    'readContents',
    'readFilePage',
    'readMailsAfter',
    'readObjectPage',
    'readRowPage',
    'sendFiles',
    'sendHead',
    'sendMails',
    'sendRelease',
    'sendRows',
    'deleteAppData',
  ],
  './copy-object.ts': ['copyObject'],
  './copy-uploads.ts': ['copyUploads'],
}
const remoteByUrl = new Map(
  Object.entries(REMOTE).map(([name, names]) => [new URL(name, import.meta.url).href, names]),
)
/** Marks the URLs of the modules whose imports are replaced: `copy-project-data.ts` and the steps of the copy. */
const WITHOUT_CLOUD = '?without-cloud'
const MODULE = `./copy-project-data.ts${WITHOUT_CLOUD}`

interface CopyModule {
  copyProjectData: typeof copyProjectData
  disableNewAddress: typeof disableNewAddress
  releaseHold: typeof releaseHold
}

const AT = new Date('2026-06-01T12:00:00.000Z')
const PROJECT = { id: 'p1', org_id: 'org_a', name: 'Plants', slug: 'plants' }
const PAGE_ROWS = 2
const PAGE_FILES = 2
const PAGE_OBJECTS = 2
const PAGE_MAILS = 2
/** An object in the bucket of files that is never copied: its prefix is excluded, and no list of files contains it. */
const UNLISTED = 'files f-unlisted'

interface Row {
  collection: string
  id: string
}

/** What an app stores, in memory. */
const emptyApp = () => ({
  rows: new Map<string, Row[]>(),
  heads: new Map<string, unknown>(),
  files: [] as BucketObject[],
  /** Each entry is the name of a bucket, a space and the key of an object in it. */
  objects: new Set<string>(),
  mails: [] as { n: number }[],
  release: null as unknown,
  isHeld: false,
})

describe('copying a project to another account', () => {
  let tested: CopyModule
  let database: TestDatabase
  const hooks = registerHooks({
    resolve: (name, context, next) => {
      const parent = context.parentURL
      if (parent?.endsWith(WITHOUT_CLOUD) !== true) return next(name, context)
      const names = remoteByUrl.get(new URL(name, parent).href)
      if (names === undefined) {
        const found = next(name, context)
        return name.startsWith('./copy/') ? { ...found, url: `${found.url}${WITHOUT_CLOUD}` } : found
      }
      const source = names.map(
        (one) => `export function ${one}(...given) { return globalThis.standIns.${one}(...given) }`,
      )
      return { url: `data:text/javascript,${encodeURIComponent(source.join('\n'))}`, shortCircuit: true }
    },
  })
  before(async () => {
    tested = (await import(MODULE)) as CopyModule
    database = await testDatabase()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', $1)`,
      [AT],
    )
  })
  after(async () => {
    hooks.deregister()
    Reflect.deleteProperty(globalThis, 'standIns')
    await database.drop()
  })

  const calls: string[] = []
  let apps: Record<string, ReturnType<typeof emptyApp>>
  let queued: number[]
  /** The number of calls after which the process is killed. */
  let callsLeft = Infinity
  let now = 0
  let holdError: Error | 'no response' | null = null
  /** What happens to an object between its listing and its copy, by its bucket and key: one entry for each copy. */
  let replaced: Record<string, ('changed' | 'gone')[]> = {}

  beforeEach(async () => {
    calls.length = 0
    callsLeft = Infinity
    queued = []
    now = 0
    holdError = null
    replaced = {}
    apps = { old: emptyApp(), new: emptyApp() }
    for (const [name, count] of [
      ['app', 5],
      ['u_a', 1],
      ['u_b', 0],
      ['u_c', 4],
    ] as const) {
      const rows = Array.from({ length: count }, (_, n) => ({ collection: 'notes', id: `${name}-${n}` }))
      apps['old']?.rows.set(name, rows)
      apps['old']?.heads.set(name, { migrations: name })
    }
    apps['old']!.release = { hash: 'h1' }
    apps['old']!.mails = [3, 4, 8].map((n) => ({ n }))
    apps['old']!.files = Array.from({ length: 5 }, (_, n) => ({ key: `f${n}`, size: 1 }))
    for (const { key } of apps['old']!.files) apps['old']!.objects.add(`files ${key}`)
    for (const key of [UNLISTED, 'files raw', ...['a', 'b', 'c'].map((name) => `maps ${name}`)])
      apps['old']!.objects.add(key)
    // Not `mock.method`: the hooks run for the nested suite and again for its tests. Restoring a method that was mocked twice keeps the
    // first mock.
    performance.now = () => now
    await database.pool.query('delete from projects')
    await database.pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at) values ('p1', 'org_a', 'p', 'p', 'plants', $1, $1)`,
      [AT],
    )
    await addMove()
    await addResource('object_namespace', 'plants-live', 'old')
  })
  afterEach(() => {
    mock.restoreAll()
    Reflect.deleteProperty(performance, 'now')
  })

  const addMove = async (liveData = 'copy', state = 'moving', isHeld = false) => {
    await database.pool.query('delete from moves')
    await database.pool.query(
      `insert into moves (project_id, org_id, from_account, live_data, state, is_held, updated_at, created_at)
       values ('p1', 'org_a', 'old', $1, $2, $3, $4, $4)`,
      [liveData, state, isHeld, AT],
    )
  }
  const addResource = (kind: string, name: string, accountId: string) =>
    database.pool.query(
      `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, updated_at, created_at)
       values ($1, 'org_a', 'p1', 'shared', $2, $3, $4, 'ok', $5, $5)`,
      [`res_${kind}_${name}_${accountId}`, kind, name, accountId, AT],
    )

  /** Counts a call, and throws as if the process ended there. */
  const call = (name: string) => {
    if (callsLeft-- <= 0) throw new Error('killed')
    calls.push(name)
  }
  const appOf = ({ project }: AppInAccount) => apps[project.accountId] ?? emptyApp()
  const pageOf = <T>(items: T[], from: number, size: number) => ({
    page: items.slice(from, from + size),
    next: from + size < items.length ? from + size : null,
  })

  Object.assign(globalThis, {
    standIns: {
      ResourceMaker: () => ({ deployFor: () => {}, make: async () => call('make') }),
      adminWorkerAddress: async () => ({ url: 'https://app.example.test' }),
      waitUntilHealthy: async () => call('probe'),
      findQueue: async (_cloud: unknown, name: string) => ({ name }),
      countMessages: async () => queued.shift() ?? 0,
      disableAddress: async (cloud: { fail?: Error }, name: string) => {
        if (cloud.fail !== undefined) throw cloud.fail
        calls.push(`disable ${name}`)
      },
      copyUploads: async () => {
        call('uploads')
        return 'all'
      },
      holdApp: async (app: AppInAccount & { signal: AbortSignal }, isHeld: boolean) => {
        if (holdError === 'no response') await sleep(60_000, undefined, { signal: app.signal })
        else if (holdError !== null) throw holdError
        call(`hold ${isHeld}`)
        appOf(app).isHeld = isHeld
      },
      deleteAppData: async (app: AppInAccount) => {
        call('wipe')
        apps[app.project.accountId] = emptyApp()
      },
      readContents: async (app: AppInAccount) => ({
        release: appOf(app).release,
        partitions: [...appOf(app).heads].map(([name, head]) => ({ name, head })),
      }),
      sendRelease: async (app: AppInAccount, release: unknown) => {
        call('release')
        appOf(app).release = release
      },
      sendHead: async (app: AppInAccount, { name, head }: { name: string; head: unknown }) => {
        call(`head ${name}`)
        appOf(app).heads.set(name, head)
      },
      readRowPage: async (app: AppInAccount, partition: string, place: RowCursor | null) => {
        const rows = appOf(app).rows.get(partition) ?? []
        const from = rows.findIndex(({ id }) => id === place?.id) + 1
        const { page, next } = pageOf(rows, from, PAGE_ROWS)
        now += 1000
        return { rows: page, next: next === null ? null : page.at(-1) }
      },
      sendRows: async (app: AppInAccount, partition: string, rows: Row[]) => {
        call(`rows ${partition}`)
        const stored = new Map(
          [...(appOf(app).rows.get(partition) ?? []), ...rows].map((row) => [row.id, row]),
        )
        appOf(app).rows.set(partition, [...stored.values()])
      },
      readFilePage: async (app: AppInAccount, cursor: string | null) => {
        const { page, next } = pageOf(appOf(app).files, Number(cursor ?? 0), PAGE_FILES)
        return { items: page, nextCursor: next === null ? null : String(next) }
      },
      readMailsAfter: async (app: AppInAccount, after: number) =>
        appOf(app)
          .mails.filter(({ n }) => n > after)
          .slice(0, PAGE_MAILS),
      sendMails: async (app: AppInAccount, mails: { n: number }[]) => {
        call('mails')
        now += 1000
        const known = new Map([...appOf(app).mails, ...mails].map((mail) => [mail.n, mail]))
        appOf(app).mails = [...known.values()]
      },
      ownBuckets: () => [
        { key: 'files', copiedElsewhere: ['f'] },
        { key: 'off', copiedElsewhere: [] },
        { key: 'maps', copiedElsewhere: [] },
      ],
      readObjectPage: async (app: AppInAccount, bucket: string, place: string | null) => {
        if (bucket === 'off') return null
        const keys = [...appOf(app).objects]
          .filter((one) => one.startsWith(`${bucket} `))
          .map((one) => one.slice(bucket.length + 1))
          .filter((key) => place === null || key > place)
        const { page, next } = pageOf(keys.toSorted(), 0, PAGE_OBJECTS)
        return {
          items: page.map((key) => ({ key, size: 1 })),
          next: next === null ? null : (page.at(-1) ?? null),
        }
      },
      copyObject: async (
        from: AppInAccount,
        to: AppInAccount,
        { bucket, object }: { bucket: string; object: BucketObject },
      ) => {
        const name = `${bucket} ${object.key}`
        call(`object ${name}`)
        now += 1000
        if (!appOf(from).objects.has(name)) return 'gone'
        const result = replaced[name]?.shift() ?? 'copied'
        if (result === 'copied') appOf(to).objects.add(name)
        return result
      },
      sendFiles: async (app: AppInAccount, files: BucketObject[]) => {
        call('list files')
        for (const { key } of files)
          assert.ok(
            appOf(app).objects.has(`files ${key}`) || !apps['old']?.objects.has(`files ${key}`),
            `${key} is listed without bytes`,
          )
        const known = new Map([...appOf(app).files, ...files].map((file) => [file.key, file]))
        appOf(app).files = [...known.values()]
      },
    },
  })

  const work = (change: object = {}) =>
    ({
      platform: {
        db: database.db,
        log: silentLog,
        clock: { now: () => AT },
        accounts: { openCloud: async ({ accountId }: { accountId: string }) => ({ accountId }) },
      },
      cloud: { accountId: 'new' },
      project: PROJECT,
      actor: 'Ada',
      signal: new AbortController().signal,
      enabled: new Set(['data']),
      ...change,
    }) as unknown as Parameters<typeof copyProjectData>[0]

  const moveNow = async () => {
    const move = await readMove(database.db, PROJECT)
    assert.ok(move)
    return move
  }
  /** Copies as one job does, from the stored progress of the move. */
  const copy = async () => tested.copyProjectData(work(), await moveNow())

  async function requireComplete() {
    const { old, new: copied } = apps
    assert.deepEqual([copied?.release, [...(copied?.heads ?? [])]], [old?.release, [...(old?.heads ?? [])]])
    const rowsIn = (app = emptyApp()) => [...app.rows].filter(([, rows]) => rows.length > 0)
    assert.deepEqual(rowsIn(copied), rowsIn(old))
    assert.deepEqual([copied?.files, copied?.mails], [old?.files, old?.mails])
    assert.deepEqual(copied?.objects, new Set([...(old?.objects ?? [])].filter((key) => key !== UNLISTED)))
    const { records, files, cursor, is_held } = await moveNow()
    assert.deepEqual([records, files, cursor, is_held], [10, 9, '{"step":"done"}', true])
    assert.ok(old?.isHeld)
  }

  test('moving an app copies all records, files, objects and mails, and makes the old app read-only before it reads the first record', async () => {
    assert.equal(await copy(), true)
    await requireComplete()
    const order = calls.filter((name) =>
      /^(?:uploads|hold|wipe|release|head app|rows app|object files f0|object maps a|mails)/.test(name),
    )
    assert.deepEqual(
      [...new Set(order)],
      [
        'uploads',
        'hold true',
        'wipe',
        'release',
        'head app',
        'rows app',
        'object files f0',
        'object maps a',
        'mails',
      ],
    )
  })

  test('when the data of a moved app was copied completely, it is not copied again', async () => {
    await copy()
    calls.length = 0
    assert.equal(await copy(), true)
    assert.deepEqual(calls, [])
  })

  test("a killed copy of a moved app's data is completed by a second run, which counts each record, file and object once", async () => {
    await copy()
    const total = calls.length
    for (let kill = 0; kill < total; kill++) {
      apps['new'] = emptyApp()
      await addMove()
      callsLeft = kill
      await assert.rejects(copy(), /killed/)
      callsLeft = Infinity
      assert.equal(await copy(), true)
      await requireComplete().catch((error: unknown) => {
        throw new Error(`killed at call ${kill + 1} of ${total}, ${calls.at(-1)}`, { cause: error })
      })
    }
  })

  test("copying a moved app's data stops at the time limit of its job, and later jobs continue the copy", async () => {
    const progress: number[] = []
    for (let jobs = 0; ; jobs++) {
      assert.ok(jobs < 50, 'the copy does not end')
      // Each job begins with half a second of its time left. A step takes a second, so each job makes one step.
      let start = 0
      mock.method(performance, 'now', () => (start++ === 0 ? now - 179_500 : now))
      const isDone = await copy()
      const { records, files } = await moveNow()
      progress.push(records + files)
      if (isDone) break
    }
    assert.ok(progress.length > 3, progress.join())
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    await requireComplete()
  })

  test("copying a moved app's files skips a file whose content is missing and copies all others", async () => {
    apps['old']?.objects.delete('files f1')
    assert.equal(await copy(), true)
    const copied = [...(apps['new']?.objects ?? [])].filter((key) => key.startsWith('files f'))
    assert.deepEqual(copied, ['files f0', 'files f2', 'files f3', 'files f4'])
  })

  test('an object replaced after a move listed it is listed again and copied once; one replaced every time fails the copy', async () => {
    replaced = { 'files raw': ['changed', 'gone', 'changed'], 'maps c': ['gone'] }
    assert.equal(await copy(), true)
    await requireComplete()
    apps['new'] = emptyApp()
    await addMove()
    replaced = { 'maps b': Array.from({ length: 4 }, () => 'changed') }
    await assert.rejects(copy(), {
      message: 'The object b changes while it is copied. Try again.',
      retryable: true,
    })
    assert.equal(await copy(), true)
    await requireComplete()
  })

  test("possibly outdated data that an earlier attempt left in the new app is deleted before a moved app's data is copied", async () => {
    apps['new']?.rows.set('app', [{ collection: 'notes', id: 'deleted-since' }])
    await copy()
    await requireComplete()
  })

  test("copying a moved app's data is refused while jobs wait in the old app's queue, even after the app became read-only", async () => {
    await addResource('queue', 'plants-jobs', 'old')
    queued = [3]
    await assert.rejects(copy(), { code: 'conflict', message: /plants-jobs still holds 3 jobs/ })
    assert.equal((await moveNow()).is_held, false)
    queued = [0, 1]
    await assert.rejects(copy(), { message: /still holds 1 job\./ })
    assert.equal((await moveNow()).is_held, true)
    assert.ok(!calls.includes('wipe'))
    queued = [0, 0]
    assert.equal(await copy(), true)
    await requireComplete()
  })

  test('records that are to stay in the old account are not copied, and the old app is neither called nor made read-only', async () => {
    await addMove('leave')
    assert.equal(await copy(), true)
    assert.deepEqual(calls, ['uploads'])
    assert.equal(apps['new']?.rows.size, 0)
    assert.equal((await moveNow()).is_held, false)
  })

  describe('an app after a failed move', () => {
    const of = { org_id: 'org_a', project_id: 'p1' }
    const release = () => tested.releaseHold(work().platform, of, new AbortController().signal)

    test('after a failed move the old app is made writable again, and then it is no longer called', async () => {
      await addMove('copy', 'waiting', true)
      apps['old']!.isHeld = true
      assert.equal(await release(), true)
      assert.deepEqual([apps['old']?.isHeld, (await moveNow()).is_held], [false, false])
      calls.length = 0
      assert.equal(await release(), true)
      assert.deepEqual(calls, [])
    })

    test('an app that cannot be made writable after a failed move stays marked as read-only', async () => {
      await addMove('copy', 'waiting', true)
      holdError = refusal
      assert.equal(await release(), false)
      assert.equal((await moveNow()).is_held, true)
      holdError = new TypeError('a fault of the program')
      await assert.rejects(release(), TypeError)
    })

    test('the call that makes an app writable has a time limit, and an app that does not respond stays marked as read-only', async () => {
      await addMove('copy', 'waiting', true)
      holdError = 'no response'
      const { signal } = new AbortController()
      assert.equal(await tested.releaseHold(work().platform, of, signal, 50), false)
      assert.equal((await moveNow()).is_held, true)
      await assert.rejects(tested.releaseHold(work().platform, of, AbortSignal.timeout(50), 60_000), {
        name: 'TimeoutError',
      })
    })

    test('after a failed move the URL of the new app is disabled, and an error from Cloudflare is not thrown', async () => {
      await tested.disableNewAddress(work())
      assert.deepEqual(calls, ['disable plants'])
      await tested.disableNewAddress(work({ cloud: { accountId: 'new', fail: refusal } }))
      await assert.rejects(
        tested.disableNewAddress(work({ cloud: { fail: new TypeError('a fault') } })),
        TypeError,
      )
      await assert.rejects(tested.disableNewAddress(work({ signal: AbortSignal.abort() })), {
        name: 'AbortError',
      })
    })
  })

  const refusal: CloudflareError = nameTaken({
    orgId: 'org_a',
    projectId: 'p1',
    accountId: 'old',
    kind: 'worker',
    name: 'plants',
  })
})
