import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { capabilitiesOf } from '../../capability-catalog/catalog.ts'
import type { Binding } from '../../cloudflare/products/upload.ts'
import type { LockedPackage, PackagesFile } from './packages-file.ts'
import {
  APP_NAME,
  appDependencies,
  WORKER_COMPATIBILITY,
  configFiles,
  wranglerBindings,
} from './locked-config.ts'
import type { Manifest } from './manifest-schema.ts'
import { isLocked } from './tree.ts'

interface Config {
  name: string
  main: string
  compatibility_date: string
  compatibility_flags: string[]
  workers_dev?: boolean
  vars?: Record<string, string>
  assets?: { run_worker_first: string[]; directory: string }
  services?: { binding: string; service: string; entrypoint?: string }[]
  r2_buckets?: { binding: string; bucket_name: string }[]
  durable_objects?: { bindings: { name: string; class_name: string }[] }
  migrations?: { tag: string; new_sqlite_classes: string[] }[]
  queues?: {
    producers: { binding: string; queue: string }[]
    consumers: { queue: string; dead_letter_queue: string; max_retries: number }[]
  }
  observability?: { enabled: boolean; logs?: { invocation_logs: boolean } }
  ai?: object
  send_email?: object[]
  stream?: object
}

const LOCK = JSON.stringify({ name: APP_NAME, lockfileVersion: 3, packages: { '': { name: APP_NAME } } })
const NONE: PackagesFile = { packages: {}, lock: {} }
const CALLERS = ['email', 'pay', 'schedule', 'hook']

const manifestOf = (changes: Partial<Manifest> = {}): Manifest => ({
  slipway: 1,
  name: 'Plants',
  pages: [],
  collections: {},
  uses: [],
  migrations: [],
  ...changes,
})

const filesOf = (
  enabled: readonly string[] = [],
  changes: Partial<Manifest> = {},
  added: PackagesFile = NONE,
): Map<string, string> =>
  configFiles(manifestOf(changes), {
    enabled: new Set(enabled),
    version: '1.2.3',
    packages: { react: '19.0.0', '@types/react': '19.0.1' },
    packageLock: LOCK,
    added,
  })

function configIn(files: ReadonlyMap<string, string>, path: string): Config {
  const text = files.get(path)
  assert.ok(text !== undefined, `${path} is not written`)
  return JSON.parse(text) as Config
}

const nameFor = (name: string) => configIn(filesOf([], { name }), 'wrangler.jsonc').name

describe('the configuration files of an app', () => {
  test('the build agent cannot overwrite any configuration file of an app', () => {
    for (const path of filesOf(CAPABILITY_KEYS).keys()) assert.ok(isLocked(path), path)
  })

  test('all wrangler files of an app have the same compatibility date and flags', () => {
    const files = filesOf(CAPABILITY_KEYS)
    const configs = [...files.keys()].filter((path) => path.startsWith('wrangler.'))
    assert.equal(configs.length, 4)
    for (const path of configs) {
      const config = configIn(files, path)
      assert.equal(config.compatibility_date, WORKER_COMPATIBILITY.date, path)
      assert.deepEqual(config.compatibility_flags, [...WORKER_COMPATIBILITY.flags], path)
    }
  })

  test('the generated files of an app do not depend on the order in which its capabilities are given', () => {
    const reversed = CAPABILITY_KEYS.toReversed()
    assert.deepEqual([...filesOf(reversed)], [...filesOf(CAPABILITY_KEYS)])
  })

  test('every request to an app goes through its worker, so that static files are behind the access code', () => {
    assert.deepEqual(configIn(filesOf(), 'wrangler.jsonc').assets?.run_worker_first, ['/*'])
  })

  test("the workers that store an app's records and uploads have no workers.dev address", () => {
    const files = filesOf(CAPABILITY_KEYS)
    for (const path of ['wrangler.live.jsonc', 'wrangler.live-app.jsonc', 'wrangler.assets.jsonc'])
      assert.equal(configIn(files, path).workers_dev, false, path)
  })

  test('the upload worker of an exported app has an empty upload key, so that it accepts no uploads', () => {
    const config = configIn(filesOf(['assets']), 'wrangler.assets.jsonc')
    assert.equal(config.vars?.['UPLOAD_KEY'], '')
    assert.equal(config.r2_buckets?.[0]?.bucket_name, config.name)
  })

  test('the wrangler file of an app has its enabled capabilities in a variable, as sorted JSON', () => {
    const { vars } = configIn(filesOf(['files', 'data', 'auth']), 'wrangler.jsonc')
    assert.equal(vars?.['APP_CAPABILITIES'], '["auth","data","files"]')
    assert.equal(vars?.['APP_TIER'], 'production')
    assert.equal(configIn(filesOf(), 'wrangler.jsonc').vars?.['APP_CAPABILITIES'], '[]')
  })

  test('only an exported app with schedules has the variable for running the schedules without the service', () => {
    const withSchedule = filesOf(['data', 'schedule'])
    for (const path of ['wrangler.jsonc', 'wrangler.live.jsonc']) {
      assert.equal(configIn(withSchedule, path).vars?.['APP_STANDALONE'], 'on', path)
      assert.equal(configIn(filesOf(['data']), path).vars?.['APP_STANDALONE'], undefined, path)
    }
  })

  test('the class and migration tag in the wrangler file of the Durable Objects worker do not depend on the enabled capabilities', () => {
    for (const enabled of [[], ['data'], CAPABILITY_KEYS]) {
      const config = configIn(filesOf(enabled), 'wrangler.live.jsonc')
      assert.deepEqual(config.durable_objects?.bindings, [{ name: 'OBJECTS', class_name: 'AppObject' }])
      assert.deepEqual(config.migrations, [{ tag: 'v1', new_sqlite_classes: ['AppObject'] }])
    }
  })

  test("invocation logs of the worker with an app's Durable Objects are off, because they would add charged log events", () => {
    const live = configIn(filesOf(), 'wrangler.live.jsonc')
    assert.deepEqual(live.observability, { enabled: true, logs: { enabled: true, invocation_logs: false } })
    assert.deepEqual(configIn(filesOf(), 'wrangler.jsonc').observability, { enabled: true })
  })

  test("the worker with an app's Durable Objects is bound to a model, a mailer or a video service only when the app uses one", () => {
    const bound = (enabled: string[]) => {
      const { ai, send_email, stream } = configIn(filesOf(enabled), 'wrangler.live.jsonc')
      return { ai, send_email, stream }
    }
    assert.deepEqual(bound([]), { ai: undefined, send_email: undefined, stream: undefined })
    assert.deepEqual(bound(['ai', 'email', 'video']), {
      ai: { binding: 'AI' },
      send_email: [{ name: 'MAIL' }],
      stream: { binding: 'STREAM' },
    })
  })
})

describe('the second configuration of the live worker', () => {
  test('the Durable Objects worker has a second wrangler file, with a binding to the app, only if a capability calls the app', () => {
    assert.equal(filesOf(['data', 'auth', 'ai', 'queue']).has('wrangler.live-app.jsonc'), false)
    for (const key of CALLERS) assert.ok(filesOf([key]).has('wrangler.live-app.jsonc'), key)
  })

  test('the wrangler file for the first deployment of the Durable Objects worker has no binding to the app', () => {
    const live = configIn(filesOf(CAPABILITY_KEYS), 'wrangler.live.jsonc')
    assert.equal(live.services, undefined)
    assert.equal(live.vars?.['APP_CALLERS'], undefined)
  })

  test('the Durable Objects worker may call the app for exactly the capabilities that need such calls', () => {
    const files = filesOf(CAPABILITY_KEYS)
    const bound = configIn(files, 'wrangler.live-app.jsonc')
    assert.deepEqual(bound.services, [{ binding: 'APP', service: 'plants', entrypoint: 'Handlers' }])
    const callers = JSON.parse(bound.vars?.['APP_CALLERS'] ?? 'null') as string[]
    assert.deepEqual(callers.toSorted(), CALLERS.toSorted())
    const only = configIn(filesOf(['data', 'hook']), 'wrangler.live-app.jsonc')
    assert.equal(only.vars?.['APP_CALLERS'], '["hook"]')
  })

  test('the two wrangler files of the Durable Objects worker differ only in the app binding and in `APP_CALLERS`', () => {
    const files = filesOf(['data', 'schedule', 'email'])
    const { vars: firstVars, ...first } = configIn(files, 'wrangler.live.jsonc')
    const { vars, services: _services, ...second } = configIn(files, 'wrangler.live-app.jsonc')
    const { APP_CALLERS: _callers, ...rest } = vars ?? {}
    assert.deepEqual(second, first)
    assert.deepEqual(rest, firstVars)
  })
})

describe('the name under which an app is deployed by hand', () => {
  test("the name of an app's worker is a valid DNS label for every name of the app", () => {
    const names = [
      'Plants',
      '../../etc/passwd',
      '"}, "main": "x"',
      '-- ; drop table',
      'a\nb\tc',
      '日本語',
      '🪴',
      '   ',
      'x'.repeat(60),
      `${'a'.repeat(49)} b c`,
      'İstanbul',
      'ﬃ ligature',
      '---',
    ]
    for (const name of names) {
      const files = filesOf(CAPABILITY_KEYS, { name })
      for (const path of ['wrangler.jsonc', 'wrangler.live.jsonc', 'wrangler.assets.jsonc'])
        assert.match(
          configIn(files, path).name,
          /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/,
          `${path} of ${name}`,
        )
    }
  })

  test("the name of an app's worker is lower case with single hyphens inside, even if a long name was cut", () => {
    assert.equal(nameFor('  My  Plants & Pots! '), 'my-plants-pots')
    assert.equal(nameFor(`${'a'.repeat(49)} tail`), 'a'.repeat(49))
    assert.equal(nameFor('a'.repeat(60)), 'a'.repeat(50))
  })

  test('the worker name of an app with a very short name gets the prefix `app-`, and is `app-one` for a name without letters or digits', () => {
    assert.deepEqual(['', '!', 'é!', 'ab', 'abc'].map(nameFor), [
      'app-one',
      'app-one',
      'app-e',
      'app-ab',
      'abc',
    ])
  })

  test("an app's worker is bound to its Durable Objects worker and its upload worker by their deployed names", () => {
    const files = filesOf(CAPABILITY_KEYS, { name: 'Garden club' })
    const app = configIn(files, 'wrangler.jsonc')
    const live = configIn(files, 'wrangler.live.jsonc').name
    const uploads = configIn(files, 'wrangler.assets.jsonc').name
    assert.equal(new Set([app.name, live, uploads]).size, 3)
    const called = app.services?.map(({ service }) => service) ?? []
    assert.deepEqual([...new Set(called)].toSorted(), [uploads, live].toSorted())
    assert.equal(configIn(files, 'wrangler.live-app.jsonc').name, live)
  })

  test('the wrangler file of an exported app names no resource of its preview', () => {
    const text = filesOf(CAPABILITY_KEYS).get('wrangler.jsonc') ?? ''
    assert.doesNotMatch(text, /-preview|-pv|"Preview"/)
  })
})

describe('the bindings in a wrangler file', () => {
  test('each kind of binding is written to the wrangler file with the key and the fields that wrangler reads', () => {
    const bindings: Binding[] = [
      { type: 'service', name: 'A', service: 'a', entrypoint: 'E' },
      { type: 'service', name: 'B', service: 'b' },
      { type: 'r2_bucket', name: 'C', bucket_name: 'c' },
      { type: 'analytics_engine', name: 'D', dataset: 'd' },
      { type: 'workflow', name: 'F', workflow_name: 'f', class_name: 'AppFlow' },
      { type: 'queue', name: 'Q', queue_name: 'q' },
      { type: 'browser', name: 'W' },
      { type: 'images', name: 'I' },
      { type: 'stream', name: 'S' },
      { type: 'ai', name: 'AI' },
      { type: 'send_email', name: 'MAIL', allowed_sender_addresses: ['app@example.com'] },
    ]
    assert.deepEqual(wranglerBindings(bindings), {
      services: [
        { binding: 'A', service: 'a', entrypoint: 'E' },
        { binding: 'B', service: 'b' },
      ],
      r2_buckets: [{ binding: 'C', bucket_name: 'c' }],
      analytics_engine_datasets: [{ binding: 'D', dataset: 'd' }],
      workflows: [{ binding: 'F', name: 'f', class_name: 'AppFlow' }],
      queues: [{ binding: 'Q', queue: 'q' }],
      browser: { binding: 'W' },
      images: { binding: 'I' },
      stream: { binding: 'S' },
      ai: { binding: 'AI' },
      send_email: [{ name: 'MAIL' }],
    })
    assert.deepEqual(wranglerBindings([]), {})
  })

  test('converting a binding of an unsupported kind to the wrangler format throws an error with the kind, but not with the secret value', () => {
    const unknown: Binding[] = [
      { type: 'secret_text', name: 'KEY', text: 'hidden-value' },
      { type: 'durable_object_namespace', name: 'X', class_name: 'Y' },
    ]
    for (const binding of unknown)
      assert.throws(
        () => wranglerBindings([binding]),
        (error: Error) => error.message.includes(binding.type) && !error.message.includes('hidden-value'),
      )
  })

  test('no two service, bucket or queue bindings of an app have the same name, even if every capability is enabled', () => {
    const { services = [], r2_buckets = [], queues } = configIn(filesOf(CAPABILITY_KEYS), 'wrangler.jsonc')
    const names = [...services, ...r2_buckets, ...(queues?.producers ?? [])].map(({ binding }) => binding)
    assert.equal(new Set(names).size, names.length, names.join())
  })
})

describe('the queues in a wrangler file', () => {
  const consumerOf = (queues: NonNullable<Manifest['queues']>) => {
    const config = configIn(filesOf(['queue'], { queues }), 'wrangler.jsonc')
    return { ...config.queues?.consumers[0], all: config.queues?.consumers.length, name: config.name }
  }
  const job = (retries?: number) => ({ name: `j${retries ?? ''}`, handler: 'a', retries })

  test('an app consumes its job queue but not the dead letter queue for failed jobs', () => {
    const { queues, name } = configIn(filesOf(['queue']), 'wrangler.jsonc')
    const [jobs, dead] = queues?.producers.map(({ queue }) => queue) ?? []
    assert.ok(jobs?.startsWith(`${name}-`) && dead?.startsWith(`${name}-`) && jobs !== dead)
    assert.deepEqual(
      queues?.consumers.map((one) => [one.queue, one.dead_letter_queue]),
      [[jobs, dead]],
    )
  })

  test("the retry limit of an app's queue is the maximum of the default and the limits that the jobs declare", () => {
    const usual = consumerOf([]).max_retries ?? 0
    assert.ok(usual > 0)
    assert.equal(consumerOf([job(0)]).max_retries, usual)
    assert.equal(consumerOf([job(usual + 4), job(1)]).max_retries, usual + 4)
    assert.equal(consumerOf([job(), job(1)]).max_retries, usual)
  })
})

describe('the packages of an app', () => {
  const added = (lock: Record<string, LockedPackage>, packages: Record<string, string>) => ({
    packages,
    lock,
  })
  const locked = (version: string): LockedPackage => ({
    version,
    integrity: `sha512-${'a'.repeat(86)}==`,
    unpackedBytes: 10,
  })

  test("in an app's package.json, type packages are development dependencies and other added packages are dependencies", () => {
    const { dependencies, devDependencies } = appDependencies({
      react: '1.0.0',
      '@types/react': '2.0.0',
      '@typescript/api': '3.0.0',
    })
    assert.deepEqual(dependencies, { react: '1.0.0', '@typescript/api': '3.0.0' })
    assert.equal((devDependencies as Record<string, string>)['@types/react'], '2.0.0')
    assert.equal((devDependencies as Record<string, string>)['react'], undefined)
  })

  test('adding a types package whose name is that of a build tool does not replace the build tool', () => {
    const { dependencies, devDependencies } = appDependencies({ '@types/wrangler': '0.0.1' })
    assert.deepEqual(dependencies, {})
    for (const version of Object.values(devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/)
    for (const tool of ['esbuild', 'typescript', 'wrangler']) assert.ok(tool in devDependencies, tool)
  })

  test("the lock file of an app without added packages is the platform's lock file, unchanged", () => {
    assert.equal(filesOf().get('package-lock.json'), LOCK)
  })

  test('package.json and package-lock.json contain a package that was added to an app, without its unpacked size', () => {
    const own = added({ 'node_modules/marked': locked('4.0.0') }, { marked: '4.0.0' })
    const files = filesOf([], {}, own)
    const asked = JSON.parse(files.get('package.json') ?? '') as { dependencies: Record<string, string> }
    assert.equal(asked.dependencies['marked'], '4.0.0')
    assert.equal(asked.dependencies['react'], '19.0.0')
    const lock = JSON.parse(files.get('package-lock.json') ?? '') as {
      packages: Record<string, { version?: string; dependencies?: Record<string, string> }>
    }
    assert.equal(lock.packages['node_modules/marked']?.version, '4.0.0')
    assert.equal(lock.packages['']?.dependencies?.['marked'], '4.0.0')
    assert.doesNotMatch(files.get('package-lock.json') ?? '', /unpackedBytes/)
  })
})

describe('the guide for a deployment by hand', () => {
  const guide = (...enabled: string[]) => filesOf(enabled).get('DEPLOY.md') ?? ''

  test('DEPLOY.md lists exactly the secrets that the enabled capability needs', () => {
    for (const key of CAPABILITY_KEYS) {
      const [own] = capabilitiesOf(new Set([key]))
      const bindings = Object.values(own?.generated ?? {}).map(({ binding }) => binding)
      const listed = [...guide(key).matchAll(/^- `([A-Z_]+)`/gm)].map(([, name]) => name)
      assert.deepEqual(listed, bindings, key)
    }
  })

  test('DEPLOY.md lists the secrets of all enabled capabilities once each', () => {
    const listed = [...guide(...CAPABILITY_KEYS).matchAll(/^- `([A-Z_]+)`/gm)].map(([, name]) => name)
    assert.ok(listed.length > 5)
    assert.equal(new Set(listed).size, listed.length)
  })

  test("DEPLOY.md lists exactly the buckets and queues of the wrangler files, each by the suffix after the app's name", () => {
    const files = filesOf(CAPABILITY_KEYS)
    const { name, r2_buckets = [], queues } = configIn(files, 'wrangler.jsonc')
    const uploads = configIn(files, 'wrangler.assets.jsonc').r2_buckets ?? []
    const needed = [
      ...[...r2_buckets, ...uploads].map((one) => one.bucket_name),
      ...(queues?.producers ?? []).map(({ queue }) => queue),
    ].map((full) => full.slice(name.length))
    const listed = [...guide(...CAPABILITY_KEYS).matchAll(/ending in `([^`]+)`/g)].map(([, ending]) => ending)
    assert.deepEqual(listed.toSorted(), [...new Set(needed)].toSorted())
  })

  test('DEPLOY.md asks to create buckets or queues only for an app that uses them', () => {
    assert.doesNotMatch(guide('data'), /r2 bucket create|queues create/)
    assert.doesNotMatch(guide('files'), /queues create/)
    assert.match(guide('files'), /r2 bucket create/)
  })
})
