import type { Manifest } from './manifest-schema.ts'

/** The date and flags every worker of an app runs under; a newer date can change behaviour. */
export const COMPATIBILITY = { date: '2026-07-01', flags: ['nodejs_compat'] } as const

/**
 * The worker behind an app keeps what it writes and no invocations: each request to the app would count as three then,
 * by the provider's limits as by its price, and say nothing more.
 */
export const LIVE_OBSERVABILITY = {
  enabled: true,
  logs: { enabled: true, invocation_logs: false },
} as const

/** How static files are served: HTML passes the worker (headers, preview), hashed files do not. */
export const ASSETS_CONFIG = {
  html_handling: 'auto-trailing-slash',
  not_found_handling: 'single-page-application',
  run_worker_first: ['/*', '!/assets/*'],
} as const

/** What a repository needs to build and deploy itself. */
const TOOLS = { esbuild: '0.28.2', typescript: '7.0.2', wrangler: '4.164.0' }

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The configuration files of an app's repository; with them it stands alone with plain wrangler. */
export function configFiles(
  manifest: Manifest,
  options: {
    enabled: ReadonlySet<string>
    version: string
    packages: Record<string, string>
    packageLock: string
  },
): Map<string, string> {
  const slug = slugOf(manifest.name)
  return new Map([
    ['wrangler.jsonc', appConfig(slug, options.enabled)],
    ['wrangler.live.jsonc', liveConfig(slug)],
    ['wrangler.assets.jsonc', assetsConfig(slug)],
    ['package.json', packageFile(options.packages)],
    ['package-lock.json', options.packageLock],
    ['tsconfig.json', TSCONFIG],
    ['DEPLOY.md', deployGuide(options.enabled)],
    ['.gitignore', 'node_modules/\ndist/\n.wrangler/\n.dev.vars*\n'],
    ['platform/VERSION', `${options.version}\n`],
  ])
}

function appConfig(slug: string, enabled: ReadonlySet<string>): string {
  const services = [
    ...(enabled.has('data') || enabled.has('files')
      ? [{ binding: 'LIVE', service: `${slug}-live`, entrypoint: 'Production' }]
      : []),
    ...(enabled.has('assets')
      ? [{ binding: 'ASSET_SERVER', service: `${slug}-assets`, entrypoint: 'Serve' }]
      : []),
  ]
  const buckets = enabled.has('files') ? [{ binding: 'FILES', bucket_name: `${slug}-files` }] : []
  return json({
    name: slug,
    main: 'platform/worker.ts',
    compatibility_date: COMPATIBILITY.date,
    compatibility_flags: COMPATIBILITY.flags,
    build: { command: 'node platform/build.mjs' },
    assets: { directory: 'dist', binding: 'ASSETS', ...ASSETS_CONFIG },
    vars: { APP_TIER: 'production', APP_CAPABILITIES: JSON.stringify([...enabled].sort()) },
    ...(services.length === 0 ? {} : { services }),
    ...(buckets.length === 0 ? {} : { r2_buckets: buckets }),
    observability: { enabled: true },
  })
}

function liveConfig(slug: string): string {
  return json({
    name: `${slug}-live`,
    main: 'platform/workers/live.ts',
    compatibility_date: COMPATIBILITY.date,
    compatibility_flags: COMPATIBILITY.flags,
    workers_dev: false,
    durable_objects: { bindings: [{ name: 'OBJECTS', class_name: 'AppObject' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['AppObject'] }],
    observability: LIVE_OBSERVABILITY,
  })
}

/** Without a key nobody uploads through it: it serves what lies in the bucket with a stamp. */
function assetsConfig(slug: string): string {
  return json({
    name: `${slug}-assets`,
    main: 'platform/workers/assets/worker.ts',
    compatibility_date: COMPATIBILITY.date,
    compatibility_flags: COMPATIBILITY.flags,
    workers_dev: false,
    r2_buckets: [{ binding: 'BUCKET', bucket_name: `${slug}-assets` }],
    vars: { CACHE_SECONDS: '3600', UPLOAD_KEY: '', VERSION: 'repository' },
    observability: { enabled: true },
  })
}

/** Constant, like the packages: the lock file is the same in every app. */
export const APP_NAME = 'slipway-app'

function packageFile(packages: Record<string, string>): string {
  return json({
    name: APP_NAME,
    private: true,
    type: 'module',
    scripts: { build: 'node platform/build.mjs', check: 'tsc', deploy: 'node platform/deploy.mjs' },
    ...appDependencies(packages),
  })
}

/** What an app needs to run, and what it needs to be built, checked and deployed. */
export function appDependencies(packages: Record<string, string>) {
  const isTypes = ([name]: [string, string]) => name.startsWith('@types/')
  const entries = Object.entries(packages)
  return {
    dependencies: Object.fromEntries(entries.filter((entry) => !isTypes(entry))),
    devDependencies: { ...Object.fromEntries(entries.filter(isTypes)), ...TOOLS },
  }
}

const TSCONFIG = json({
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
  const buckets = ['files', 'assets'].filter((key) => enabled.has(key))
  const bucketText =
    buckets.length === 0
      ? ''
      : `
Before the first deploy make the buckets that the configurations name (\`npx wrangler r2 bucket create <name>\`): ${buckets.map((key) => `the one ending in \`-${key}\``).join(' and ')}.
Assets are served when the object carries the metadata \`access\` = \`{"kind":"public"}\`.
`
  return `# Deploying this app yourself

The repository needs nothing but Node and a Cloudflare account.

\`\`\`
npm ci
npx wrangler login
npm run deploy
\`\`\`

\`npm run deploy\` builds the pages into \`dist/\` and deploys two workers: the one with \`-live\` at the end of its
name holds the records (a SQLite Durable Object) and has no address; the other one is the app.
The names stand in \`wrangler.jsonc\` and \`wrangler.live.jsonc\`. Capabilities in use: ${used}. Secrets to put: none.
${bucketText}`
}

/** A worker name from the shown name; deploying by hand may choose another. */
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
