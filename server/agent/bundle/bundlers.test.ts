import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { childrenOf, processOf } from '../children/processes.ts'
import { type BundlerConfig, runBundler } from './bundlers.ts'

const RECIPE: BundlerConfig = {
  options: { bundle: true, format: 'esm', logLevel: 'silent', entryPoints: ['web/main.ts'], outdir: 'out' },
  packages: 'whole',
  folder: null,
  cssAs: 'css',
  refusesServerCode: true,
}

const treeOf = (word: string) =>
  new Map([
    ['web/main.ts', "import { word } from './word.ts'\nconsole.log(word)\n"],
    ['web/word.ts', `export const word = '${word}'\n`],
  ])
const bundle = async (tree: Map<string, string>) =>
  (await runBundler(tree, RECIPE)).outputFiles.map(({ text }) => text)

describe('reused bundlers', () => {
  test('apps that are bundled concurrently each get their own code', async () => {
    const words = Array.from({ length: 12 }, (_, number) => `word-${number}`)
    const texts = await Promise.all(words.map((word) => bundle(treeOf(word))))
    for (const [index, [text]] of texts.entries()) {
      assert.deepEqual(text?.match(/word-\d+/g), [words[index]])
    }
  })

  test('a reused bundler process does not see files of the app that it bundled before', async () => {
    await bundle(treeOf('kept'))
    const lacking = treeOf('')
    lacking.delete('web/word.ts')
    await assert.rejects(bundle(lacking), (error: { errors: { text: string }[] }) => {
      assert.equal(error.errors[0]?.text, './word.ts does not exist')
      return true
    })
  })

  test('an app that fails to bundle does not affect the next app', async () => {
    const broken = treeOf('broken').set('web/word.ts', 'export const word = ')
    await assert.rejects(bundle(broken))
    assert.match((await bundle(treeOf('mended')))[0] ?? '', /mended/)
  })

  test('after the process of esbuild was killed, apps that are bundled concurrently are bundled by a new process', async () => {
    await bundle(treeOf('before'))
    for (const pid of childrenOf(process.pid))
      if (processOf(pid).name === 'esbuild') process.kill(pid, 'SIGKILL')
    const texts = await Promise.all(['one', 'two', 'three'].map((word) => bundle(treeOf(word))))
    assert.deepEqual(
      texts.map(([text]) => /one|two|three/.exec(text ?? '')?.[0]),
      ['one', 'two', 'three'],
    )
  })

  test('a platform worker that failed to bundle is bundled again at the next request', async () => {
    const modules = ['./bundle.ts', './bundlers.ts', '../children/processes.ts'].map((one) =>
      import.meta.resolve(one),
    )
    const script = `
      const [{ bundleUploads }, { stopBundlers }, { childrenOf }] = await Promise.all(${JSON.stringify(modules)}.map((one) => import(one)))
      const killing = setInterval(() => childrenOf(process.pid).forEach((pid) => process.kill(pid, 'SIGKILL')), 1)
      const hasFailed = await bundleUploads().then(() => false, () => true)
      clearInterval(killing)
      console.log(hasFailed, (await bundleUploads()).main)
      await stopBundlers()`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    assert.equal(stdout, 'true worker.js\n')
  })
})
