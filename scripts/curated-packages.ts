import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, stop } from 'esbuild'
import { pino } from 'pino'
import { CURATED_PACKAGES } from '../server/agent/packages/curated.ts'
import { NO_PACKAGES, PackagesFile, writePackagesFile } from '../server/agent/source/packages-file.ts'
import { openPackages } from '../server/agent/packages/packages.ts'
import { ROOT } from './lib.ts'

/**
 * Chooses the newest versions of the curated packages from the registry in npm's settings, and measures their size. Run it by hand and
 * commit the result, `server/agent/packages/curated.json`.
 */
const TARGET_FILE = join(ROOT, 'server/agent/packages/curated.json')
const ASSET_LOADERS = { '.png': 'dataurl', '.svg': 'dataurl' } as const

const dataDir = mkdtempSync(join(tmpdir(), 'slipway-curated-'))
// Higher than the limits of a single app, because all curated packages together exceed the limits of an app.
const packageLimits = { packages: 1000, unpackedBytes: 1e9 }
const packageStore = openPackages({
  dataDir,
  allow: [],
  log: pino({ level: 'warn' }),
  limits: packageLimits,
  curated: NO_PACKAGES,
})
let chosenPackages = NO_PACKAGES
for (const { name, types } of CURATED_PACKAGES) {
  for (const one of [name, ...(types === undefined ? [] : [types])])
    chosenPackages = await packageStore.add(chosenPackages, { name: one, mayUseAny: true }, { owner: '' })
  process.stdout.write(`${name} ${chosenPackages.packages[name]}\n`)
}
const nodeModulesFolder =
  (await packageStore.folderFor(new Map([['packages.json', writePackagesFile(chosenPackages)]]), {
    owner: '',
  })) ?? ''
const kilobytesOfPackage: Record<string, number> = {}
for (const { name } of CURATED_PACKAGES) kilobytesOfPackage[name] = await measureKilobytes(name)
const { packages: pins, lock } = PackagesFile.parse(JSON.parse(writePackagesFile(chosenPackages)))
writeFileSync(
  TARGET_FILE,
  `${JSON.stringify({ packages: pins, lock, kilobytes: kilobytesOfPackage }, null, 2)}\n`,
)
process.stdout.write(`${readFileSync(TARGET_FILE).length} bytes, ${Object.keys(lock).length} packages\n`)
await packageStore.close()
await stop()
rmSync(dataDir, { recursive: true })

/** Returns the compressed size in kilobytes of everything that a package exports, without React. */
async function measureKilobytes(name: string): Promise<number> {
  const entry = name === 'motion' ? 'motion/react' : name === '@tiptap/pm' ? '@tiptap/pm/model' : name
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from '${entry}'\nexport * as all from '${entry}'`,
      resolveDir: nodeModulesFolder,
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    external: ['react', 'react-dom'],
    loader: ASSET_LOADERS,
  })
  return Math.ceil(gzipSync(outputFiles[0]?.contents ?? '').length / 1000)
}
