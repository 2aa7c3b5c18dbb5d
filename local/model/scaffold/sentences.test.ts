import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { captureFields } from './capture.ts'
import { readIntent } from './reading/intent.ts'
import { nextTurn } from './scaffold.ts'
import { FIRST_SENTENCES, SECOND_SENTENCES, type SaidSentence } from './testing/sentences.ts'
import { callsOf, describeLists, EMPTY_APP, filesAfter, openingOf, requestOf } from './ticket-fixture.ts'

/**
 * Builds the request `sentence.said` in an app with these files and asserts the expected result. Returns the
 * files after the build.
 */
function playSentence(sentence: SaidSentence, files: ReadonlyMap<string, string>) {
  const messages = openingOf(sentence.said, files)
  const turn = nextTurn(requestOf(messages))
  const calls = callsOf(messages)
  if ('asked' in sentence) {
    const questions = calls[0]?.args['questions'] as { id: string }[] | undefined
    assert.deepEqual([calls.map(({ name }) => name), questions?.[0]?.id], [['ask_user'], sentence.asked])
  } else if ('reply' in sentence) {
    assert.equal(turn.toolCalls, undefined, JSON.stringify(calls.map(({ args }) => args)))
    assert.match(
      turn.text ?? '',
      /needs an AI model\. Connect one, or say: Make a list of|^The app has no "|has that already/,
    )
    const example = /say: (Make a list of [^.]+)/.exec(turn.text ?? '')?.[1]
    assert.ok(example === undefined || readIntent(example).kind === 'lists', example ?? '')
  } else {
    const after = filesAfter(files, calls)
    assert.equal(describeLists(after), 'built' in sentence ? sentence.built : sentence.after)
    return after
  }
  return files
}

describe('the results of sentences by people who never programmed', () => {
  for (const sentence of FIRST_SENTENCES)
    test(`a new project gets the expected app for: ${sentence.said.slice(0, 90)}`, () =>
      void playSentence(sentence, EMPTY_APP))

  for (const sentence of SECOND_SENTENCES)
    test(`an existing app gets the expected change for: ${sentence.said.slice(0, 90)}`, () => {
      const first = FIRST_SENTENCES.find(({ said }) => said === sentence.on)
      assert.ok(first, `${sentence.on} is among the first sentences`)
      playSentence(sentence, playSentence(first, EMPTY_APP))
    })

  test('at least 60 sample requests for new apps and 30 for changes are tested', () => {
    assert.ok(FIRST_SENTENCES.length >= 60 && SECOND_SENTENCES.length >= 30)
  })

  test('the reply to a request that only an AI model can build suggests a list instead, on the same subject where possible', () => {
    for (const [said, example] of [
      ['A shop where people buy seed packets', 'products with name, price and stock'],
      ['A newsletter people sign up for', 'signups with name, email and phone'],
      ['A chat for the team', 'messages with name and message'],
      ['A page where customers can order cakes', 'cakes with name, price and description'],
      ['Remind me every Monday', 'tasks with title, notes and due date'],
      ['Summarize the notes', 'notes with title and body'],
      ['A game like tetris for my kids', 'books with title and author'],
    ] as const) {
      const { text } = nextTurn(requestOf(openingOf(said, EMPTY_APP)))
      assert.ok(text?.includes(`or say: Make a list of ${example}.`), text ?? said)
    }
  })

  test('the title of a ticket made from a sentence is the beginning of that sentence', () => {
    for (const { said } of [...FIRST_SENTENCES, ...SECOND_SENTENCES]) {
      const { title } = captureFields(said)
      assert.ok(said.startsWith(title.replace(/…$/, '')), title)
    }
  })
})
