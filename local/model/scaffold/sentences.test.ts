import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { captureFields } from './capture.ts'
import { turnFor } from './scaffold.ts'
import { FIRST_SENTENCES, SECOND_SENTENCES, type Said } from './sentences.ts'
import { callsOf, describeLists, EMPTY, filesAfter, openingOf, requestOf } from './ticket-fixture.ts'

/** Sends a sentence to an app and checks the result against the table. Returns the files afterwards. */
function play(sentence: Said, files: ReadonlyMap<string, string>) {
  const messages = openingOf(sentence.said, files)
  const turn = turnFor(requestOf(messages))
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
  } else {
    const after = filesAfter(files, calls)
    assert.equal(describeLists(after), 'built' in sentence ? sentence.built : sentence.after)
    return after
  }
  return files
}

describe('the results of sentences by people who never programmed', () => {
  for (const sentence of FIRST_SENTENCES)
    test(`first: ${sentence.said.slice(0, 90)}`, () => void play(sentence, EMPTY))

  for (const sentence of SECOND_SENTENCES)
    test(`then: ${sentence.said.slice(0, 90)}`, () => {
      const first = FIRST_SENTENCES.find(({ said }) => said === sentence.on)
      assert.ok(first, `${sentence.on} is among the first sentences`)
      play(sentence, play(first, EMPTY))
    })

  test('the tables have at least the promised number of sentences', () => {
    assert.ok(FIRST_SENTENCES.length >= 60 && SECOND_SENTENCES.length >= 30)
  })

  test('a captured sentence keeps its words as title, whatever it requests', () => {
    for (const { said } of [...FIRST_SENTENCES, ...SECOND_SENTENCES]) {
      const { title } = captureFields(said)
      assert.ok(said.startsWith(title.replace(/…$/, '')), title)
    }
  })
})
