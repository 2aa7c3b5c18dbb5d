import {
  capabilitiesCallingApp,
  capabilitiesOf,
  capabilityBindings,
  mostRetries,
  QueueSettings,
} from '../../capability-catalog/catalog.ts'
import type { Binding } from '../../cloudflare/products/upload.ts'
import { liveName, uploadsName } from '../../resource-names.ts'
import { mergeLock, type PackagesFile } from './packages-file.ts'
import type { Manifest } from './manifest-schema.ts'

/** The date and flags that every worker of an app runs under; a newer date can change behaviour. */
export const WORKER_COMPATIBILITY = { date: '2026-07-01', flags: ['nodejs_compat'] } as const

/**
 * The provider keeps the log lines of the live worker but no record of its invocations. Otherwise each request to the app would add
 * three charged log events, two of them without new information.
 */
export const LIVE_OBSERVABILITY = {
  enabled: true,
  logs: { enabled: true, invocation_logs: false },
} as const

/** Static files pass through the worker, which adds headers and keeps them behind the access code of an app. */
export const ASSETS_CONFIG = {
  html_handling: 'auto-trailing-slash',
  not_found_handling: 'single-page-application',
  run_worker_first: ['/*'],
} as const

const TOOL_VERSIONS = { esbuild: '0.28.2', typescript: '7.0.2', wrangler: '4.164.0' }

const indentedJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Returns the configuration files of an app's repository, with which plain wrangler can deploy the app. */
export function configFiles(
  manifest: Manifest,
  options: {
    enabled: ReadonlySet<string>
    version: string
    packages: Record<string, string>
    packageLock: string
    /** The packages that the app has added to the built-in packages. */
    added: PackagesFile
  },
): Map<string, string> {
  const slug = slugOf(manifest.name)
  const asked = appDependencies({ ...options.packages, ...options.added.packages })
  return new Map([
    ['wrangler.jsonc', appConfig(slug, manifest, options.enabled)],
    ['wrangler.live.jsonc', liveConfig(slug, options.enabled)],
    // The provider refuses a binding to an app that does not exist yet. So the live worker is deployed again with this
    // second file after the app.
    ...(capabilitiesCallingApp(options.enabled).length > 0
      ? ([
          [
            'wrangler.live-app.jsonc',
            liveConfig(slug, options.enabled, capabilitiesCallingApp(options.enabled)),
          ],
        ] as const)
      : []),
    ['wrangler.assets.jsonc', assetsConfig(slug)],
    ['package.json', packageFile(asked)],
    ['package-lock.json', mergeLock(options.packageLock, options.added, asked)],
    ['tsconfig.json', TSCONFIG_JSON],
    ['DEPLOY.md', deployGuide(options.enabled)],
    ['.gitignore', 'node_modules/\ndist/\n.wrangler/\n.dev.vars*\n'],
    ['platform/VERSION', `${options.version}\n`],
  ])
}

function appConfig(slug: string, manifest: Manifest, enabled: ReadonlySet<string>): string {
  return indentedJson({
    name: slug,
    main: 'platform/worker.ts',
    compatibility_date: WORKER_COMPATIBILITY.date,
    compatibility_flags: WORKER_COMPATIBILITY.flags,
    build: { command: 'node platform/build.mjs' },
    assets: { directory: 'dist', binding: 'ASSETS', ...ASSETS_CONFIG },
    vars: {
      APP_TIER: 'production',
      APP_CAPABILITIES: JSON.stringify([...enabled].sort()),
      ...variablesByHand(enabled),
    },
    ...withQueues(manifest, wranglerBindings(capabilityBindings(enabled, { slug }, 'production'))),
    observability: { enabled: true },
  })
}

/** Converts bindings from the format of the provider's upload API to the format of the wrangler file. Throws for an unknown type. */
export function wranglerBindings(bindings: readonly Binding[]): Record<string, object> {
  const config: Record<string, object[]> = {}
  const single: Record<string, object> = {}
  for (const binding of bindings) {
    // A worker has at most one such binding, so wrangler expects an object and not a list.
    if (
      binding.type === 'ai' ||
      binding.type === 'browser' ||
      binding.type === 'images' ||
      binding.type === 'stream'
    ) {
      single[binding.type] = { binding: binding.name }
      continue
    }
    const [key, entry] = wranglerBinding(binding)
    config[key] = [...(config[key] ?? []), entry]
  }
  return { ...config, ...single }
}

/** In a wrangler file, the key `queues` contains both the producers and the consumers of queues. */
function withQueues(
  { queues = [] }: Manifest,
  { queues: producers, ...rest }: Record<string, object>,
): Record<string, unknown> {
  const names = ((producers ?? []) as object[]).map((one) => (one as { queue: string }).queue)
  const [jobs, dead] = names
  if (jobs === undefined || dead === undefined) return rest
  const settings = QueueSettings.parse({})
  const consumer = {
    queue: jobs,
    dead_letter_queue: dead,
    max_batch_size: settings.batchSize,
    max_batch_timeout: settings.maxWaitSeconds,
    max_retries: mostRetries(queues, settings),
    retry_delay: settings.retryDelaySeconds,
  }
  return { ...rest, queues: { producers, consumers: [consumer] } }
}

function wranglerBinding(given: Binding): [key: string, entry: object] {
  const { name: binding } = given
  switch (given.type) {
    case 'service': {
      const { service, entrypoint } = given
      return ['services', { binding, service, ...(entrypoint === undefined ? {} : { entrypoint }) }]
    }
    case 'r2_bucket':
      return ['r2_buckets', { binding, bucket_name: given.bucket_name }]
    case 'analytics_engine':
      return ['analytics_engine_datasets', { binding, dataset: given.dataset }]
    case 'workflow':
      return ['workflows', { binding, name: given.workflow_name, class_name: given.class_name }]
    case 'queue':
      return ['queues', { binding, queue: given.queue_name }]
    case 'send_email':
      return ['send_email', { name: binding }]
    default:
      throw new Error(`wrangler's form of a ${given.type} binding is not written here yet`)
  }
}

/** The order of a written file must not depend on the order in which the capabilities are listed. */
const sortedByKey = (config: Record<string, object>): Record<string, object> =>
  Object.fromEntries(Object.entries(config).toSorted(([a], [b]) => a.localeCompare(b)))

const variablesByHand = (enabled: ReadonlySet<string>): Record<string, string> =>
  Object.assign({}, ...capabilitiesOf(enabled).map((one) => one.variablesByHand))

/**
 * Returns the configuration of the live worker. `callers` are the capabilities for which the live worker calls the app;
 * it is bound to the app only if `callers` is not empty.
 */
function liveConfig(slug: string, enabled: ReadonlySet<string>, callers: readonly string[] = []): string {
  const vars = {
    ...variablesByHand(enabled),
    ...(callers.length > 0 && { APP_CALLERS: JSON.stringify(callers) }),
  }
  return indentedJson({
    name: liveName({ slug }),
    main: 'platform/workers/live.ts',
    compatibility_date: WORKER_COMPATIBILITY.date,
    compatibility_flags: WORKER_COMPATIBILITY.flags,
    workers_dev: false,
    durable_objects: { bindings: [{ name: 'OBJECTS', class_name: 'AppObject' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['AppObject'] }],
    ...(Object.keys(vars).length > 0 && { vars }),
    ...sortedByKey(wranglerBindings(capabilitiesOf(enabled).flatMap((one) => one.liveBindingsByHand))),
    ...(callers.length > 0 && { services: [{ binding: 'APP', service: slug, entrypoint: 'Handlers' }] }),
    observability: LIVE_OBSERVABILITY,
  })
}

/**
 * Returns the configuration of the upload worker. Its upload key is empty, so the worker accepts no uploads. It only serves assets
 * whose metadata grants access.
 */
function assetsConfig(slug: string): string {
  return indentedJson({
    name: uploadsName({ slug }),
    main: 'platform/workers/assets/worker.ts',
    compatibility_date: WORKER_COMPATIBILITY.date,
    compatibility_flags: WORKER_COMPATIBILITY.flags,
    workers_dev: false,
    r2_buckets: [{ binding: 'BUCKET', bucket_name: uploadsName({ slug }) }],
    vars: { CACHE_SECONDS: '3600', UPLOAD_KEY: '', VERSION: 'repository' },
    observability: { enabled: true },
  })
}

/** Every app has this package name, so that the lock file is the same for every app. */
export const APP_NAME = 'slipway-app'

function packageFile(asked: ReturnType<typeof appDependencies>): string {
  return indentedJson({
    name: APP_NAME,
    private: true,
    type: 'module',
    scripts: { build: 'node platform/build.mjs', check: 'tsc', deploy: 'node platform/deploy.mjs' },
    ...asked,
  })
}

/** Returns the packages that an app needs to run, and the packages to build, check and deploy the app. */
export function appDependencies(packages: Record<string, string>) {
  const isTypes = ([name]: [string, string]) => name.startsWith('@types/')
  const entries = Object.entries(packages)
  return {
    dependencies: Object.fromEntries(entries.filter((entry) => !isTypes(entry))),
    devDependencies: { ...Object.fromEntries(entries.filter(isTypes)), ...TOOL_VERSIONS },
  }
}

const TSCONFIG_JSON = indentedJson({
  compilerOptions: {
    target: 'es2024',
    lib: ['es2025', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: [],
    strict: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
    paths: { '@slipway/app/*': ['./platform/*'] },
  },
  include: ['web', 'server', 'shared', 'tests', 'platform'],
})

function deployGuide(enabled: ReadonlySet<string>): string {
  const used = [...enabled].sort().join(', ') || 'none'
  const buckets = resourceNameEndings('bucket', enabled)
  const queues = resourceNameEndings('queue', enabled)
  const bucketText =
    buckets.length === 0
      ? ''
      : `
Before the first deploy make the buckets that the configurations name (\`npx wrangler r2 bucket create <name>\`): ${buckets.map((ending) => `the one ending in \`${ending}\``).join(' and ')}.
Assets are served when the object carries the metadata \`access\` = \`{"kind":"public"}\`.
`
  const queueText =
    queues.length === 0
      ? ''
      : `
Before the first deploy make the queues that \`wrangler.jsonc\` names (\`npx wrangler queues create <name>\`): ${queues.map((ending) => `the one ending in \`${ending}\``).join(' and ')}.
`
  return `# Deploying this app yourself

The repository needs nothing but Node and a Cloudflare account.

\`\`\`
npm ci
npx wrangler login
npm run deploy
\`\`\`

\`npm run deploy\` builds the pages into \`dist/\` and deploys the workers. The one with \`-live\` at the end of its
name holds the records (a SQLite Durable Object) and has no address; the one with \`-assets\` serves uploaded assets;
the other one is the app. Only what the app uses is deployed.
The names stand in \`wrangler.jsonc\`, \`wrangler.live.jsonc\` and \`wrangler.assets.jsonc\`. Capabilities in use: ${used}.
${bucketText}${queueText}
${secretsText(enabled)}`
}

/** Returns the part of DEPLOY.md about secrets. A person who deploys by hand has to create the secrets instead of the service. */
function secretsText(enabled: ReadonlySet<string>): string {
  const used = capabilitiesOf(enabled)
  const secrets = used.flatMap(({ generated }) => Object.values(generated))
  const notes = used.map(({ byHand }) => byHand).filter((note) => note !== '')
  const listed = secrets.map(({ binding, description }) => `- \`${binding}\` ${description}`).join('\n')
  const text =
    secrets.length === 0
      ? 'Secrets to put: none.'
      : `Secrets to put after the first deploy (\`npx wrangler secret put <name> --config wrangler.live.jsonc\`):\n\n${listed}`
  return `${[text, ...notes].join('\n\n')}\n`
}

/**
 * Returns the suffixes that follow the app's name in the names of its buckets or queues. Leaves out the preview, because an
 * app that is deployed by hand has no preview.
 */
function resourceNameEndings(wanted: 'bucket' | 'queue', enabled: ReadonlySet<string>): string[] {
  const project = { slug: '' }
  const preview = capabilityBindings(enabled, project, 'preview')
  const isOfPreview = (name: string) =>
    preview.some(
      (one) =>
        (one.type === 'r2_bucket' && one.bucket_name === name) ||
        (one.type === 'queue' && one.queue_name === name),
    )
  return capabilitiesOf(enabled)
    .flatMap((one) => one.resources(project))
    .filter(({ kind, name }) => kind === wanted && !isOfPreview(name))
    .map(({ name }) => name)
}

/** Derives the names of the workers from the app's name. A person who deploys by hand may choose other names. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '')
  return slug.length < 3 ? `app-${slug || 'one'}` : slug
}
