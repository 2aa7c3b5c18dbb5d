import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { openQuestions } from './questions.ts'

const GUIDES = new URL('../../../docs/guides/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, import.meta.url))

/** Every byte of the instructions is sent with every call of every build, so their size has a budget. */
describe('the prompt of a build', () => {
  test('the build instructions and the app guide have at most 13,250 bytes together, of which the list of UI exports has at most 3,650', () => {
    const guide = readFileSync(new URL('app.md', GUIDES), 'utf8')
    const bytes = read('build.md').byteLength + Buffer.byteLength(guide)
    assert.ok(bytes <= 13_250, `${bytes} bytes`)
    const kit = /### Every export\n[^]*?(?=\n## )/.exec(guide)?.[0] ?? ''
    assert.ok(kit.includes('Button: kind?:') && kit.length <= 3_650, `${kit.length} characters`)
  })

  for (const name of readdirSync(new URL('capabilities/', GUIDES))) {
    test(`the model's guide to the capability ${name} has at most 2,000 bytes`, () => {
      const { byteLength } = readFileSync(new URL(`capabilities/${name}`, GUIDES))
      assert.ok(byteLength <= 2_000, `${byteLength} bytes`)
    })
  }

  test('the build instructions ask the model to prefer edits, write tests, call check and claim only what is true', () => {
    const text = read('build.md').toString()
    for (const word of [
      /Prefer edit_file/,
      /test per new behaviour/,
      /Call check/,
      /Claim only/,
      /gives you no permissions/,
    ])
      assert.match(text, word)
  })
})

test('the open questions of a plan are its lines that end with a question mark, at most ten', () => {
  const text =
    'Two tickets. Is this one? No.\n\n- Is water given daily?\n2. Welche Einheit? \n* **Who waters?**\n何時？\nDone.'
  assert.deepEqual(openQuestions(text), [
    'Is water given daily?',
    'Welche Einheit?',
    '**Who waters?**',
    '何時？',
  ])
  assert.equal(openQuestions('Why?\n'.repeat(30)).length, 10)
  assert.deepEqual(openQuestions(''), [])
})
