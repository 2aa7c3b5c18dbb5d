import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { captureFields } from './capture.ts'

const titleOf = (sentence: string) => captureFields(sentence).title

describe('the fields of a ticket that is made from a sentence', () => {
  test("a ticket's title is the first sentence with a letter or digit, without full stop and bullet point", () => {
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

  test("a text without a letter or digit becomes the ticket's title unchanged", () => {
    for (const sentence of ['...', '?!', '😀', '- ']) assert.equal(titleOf(sentence), sentence.trim())
  })

  test('a ticket title of 80 characters is kept, and a longer title is cut after a word and ends with an ellipsis', () => {
    const whole = `${'word '.repeat(15)}ends`
    assert.equal(titleOf(`${whole}!`), whole)
    const exact = 'x'.repeat(80)
    assert.equal(titleOf(exact), exact)
    const cut = titleOf(`${'word '.repeat(20)}end`)
    assert.match(cut, /^(?:word )+word…$/)
    assert.ok(cut.length <= 80)
  })

  test('a long ticket title of emojis is cut between two emojis', () => {
    const title = titleOf('😀'.repeat(90))
    assert.ok(title.isWellFormed())
    assert.equal(title, `${'😀'.repeat(79)}…`)
  })

  test('the type and the priority of a ticket follow from whole words of its sentence', () => {
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
