import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { captureFields } from './capture.ts'

const titleOf = (sentence: string) => captureFields(sentence).title

describe('the fields of a ticket that is made from a sentence', () => {
  test('the title is the first sentence that says something, without its full stop and without a bullet point', () => {
    const titles = [
      ['Fix the login.', 'Fix the login'],
      ['Track books. And films.', 'Track books'],
      ['Track books\nwith title', 'Track books'],
      ['!!! Fix the login', 'Fix the login'],
      ['...\n\nFix the login!', 'Fix the login'],
      ['1. Add a price', 'Add a price'],
      ['- Add a price\n- Add a date', 'Add a price'],
      ['Rate it with 3.5 stars', 'Rate it with 3.5 stars'],
      ['Why is it red?', 'Why is it red?'],
      ['書籍を追加', '書籍を追加'],
    ] as const
    for (const [sentence, title] of titles) assert.equal(titleOf(sentence), title)
  })

  test('a sentence without a letter or a digit still gets a title, which a ticket needs', () => {
    for (const sentence of ['...', '?!', '😀', '- ']) assert.equal(titleOf(sentence), sentence.trim())
  })

  test('a title of 80 characters is kept, and a longer one ends at a word and shows that it was cut', () => {
    const whole = `${'word '.repeat(15)}ends`
    assert.equal(titleOf(`${whole}!`), whole)
    const exact = 'x'.repeat(80)
    assert.equal(titleOf(exact), exact)
    const cut = titleOf(`${'word '.repeat(20)}end`)
    assert.match(cut, /^(?:word )+word…$/)
    assert.ok(cut.length <= 80)
  })

  test('a long title of emojis is cut between two of them', () => {
    const title = titleOf('😀'.repeat(90))
    assert.ok(title.isWellFormed())
    assert.equal(title, `${'😀'.repeat(79)}…`)
  })

  test('the type and the priority follow from words of the sentence, as whole words only', () => {
    const cases = [
      ['The form crashes', 'bug', 'none'],
      ['Fix the form, it is urgent', 'bug', 'urgent'],
      ['Rename the column', 'chore', 'none'],
      ['Add a column, important', 'feature', 'high'],
      ['Urgently needed', 'task', 'none'],
      ['A debugging session', 'task', 'none'],
      ['', 'task', 'none'],
    ] as const
    for (const [sentence, type, priority] of cases) {
      const fields = captureFields(sentence)
      assert.deepEqual([fields.type, fields.priority], [type, priority], sentence)
    }
  })
})
