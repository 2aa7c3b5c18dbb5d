import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Recipe, runRecipe } from './bundlers.ts'

const RECIPE: Recipe = {
  options: { bundle: true, format: 'esm', logLevel: 'silent', entryPoints: ['web/main.ts'], outdir: 'out' },
  packages: 'whole',
  folder: null,
  cssAs: 'css',
}

const treeOf = (word: string) =>
  new Map([
    ['web/main.ts', "import { word } from './word.ts'\nconsole.log(word)\n"],
    ['web/word.ts', `export const word = '${word}'\n`],
  ])
const bundle = async (tree: Map<string, string>) =>
  (await runRecipe(tree, RECIPE)).outputFiles.map(({ text }) => text)

describe('reused bundlers', () => {
  test('apps that are bundled concurrently each get their own code', async () => {
    const words = Array.from({ length: 12 }, (_, number) => `word-${number}`)
    const texts = await Promise.all(words.map((word) => bundle(treeOf(word))))
    for (const [index, [text]] of texts.entries()) {
      assert.deepEqual(text?.match(/word-\d+/g), [words[index]])
    }
  })

  test('a reused bundler does not see files of the app it bundled before', async () => {
    await bundle(treeOf('kept'))
    const lacking = treeOf('')
    lacking.delete('web/word.ts')
    await assert.rejects(bundle(lacking), (error: { errors: { text: string }[] }) => {
      assert.equal(error.errors[0]?.text, './word.ts does not exist')
      return true
    })
  })

  test('an app that fails to bundle does not affect the next one', async () => {
    const broken = treeOf('broken').set('web/word.ts', 'export const word = ')
    await assert.rejects(bundle(broken))
    assert.match((await bundle(treeOf('mended')))[0] ?? '', /mended/)
  })
})
