import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChatMessage } from '../wire.ts'
import { nextTurn } from './scaffold.ts'

const NONCE = '1a2b3c4d'
const promptBlock = (name: string, text: string, attributes = '') =>
  `<${name}-${NONCE}${attributes}>\n${text}\n</${name}-${NONCE}>`

function askPlan(message: string, more: string[] = [], turns: ChatMessage[] = []) {
  const project = promptBlock('project', 'Nothing is built yet.', ' name="Plants"')
  return nextTurn({
    model: 'scaffold-1',
    messages: [
      { role: 'system', content: 'You are the plan agent.' },
      {
        role: 'user',
        content: [project, promptBlock('open-tickets', 'There are no open tickets.')].join('\n'),
      },
      { role: 'user', content: promptBlock('message', 'An older message:\n- that was answered') },
      { role: 'assistant', content: 'Done.' },
      {
        role: 'user',
        content: [promptBlock('message', message), 'Answer this message.', ...more].join('\n'),
      },
      ...turns,
    ],
    tools: ['create_ticket', 'write_readme', 'list_tickets'].map((name) => ({
      type: 'function' as const,
      function: { name },
    })),
  })
}

const ticketsOf = (turn: ReturnType<typeof askPlan>) =>
  (turn.toolCalls ?? []).filter(({ name }) => name === 'create_ticket').map(({ args }) => args)

describe('tickets that the scaffold model creates from a message', () => {
  test('each of the first five items of a bulleted message becomes a ticket, and the reply counts the omitted items', () => {
    const turn = askPlan(
      'Please:\n- Track plants with name and room\n* Fix the broken form\n1. Tidy\n2) Four\n- Five\n- Six',
    )
    assert.deepEqual(ticketsOf(turn), [
      {
        title: 'Track plants with name and room',
        body: 'Track plants with name and room',
        type: 'feature',
        priority: 'none',
      },
      { title: 'Fix the broken form', body: 'Fix the broken form', type: 'bug', priority: 'none' },
      { title: 'Tidy', body: 'Tidy', type: 'task', priority: 'none' },
      { title: 'Four', body: 'Four', type: 'task', priority: 'none' },
      { title: 'Five', body: 'Five', type: 'task', priority: 'none' },
    ])
    assert.match(turn.text ?? '', /first 5 items.*other 1/)
  })

  test('a README is written for a project that has none, and an existing README is not replaced', () => {
    const first = askPlan('- Track plants').toolCalls?.at(-1)
    assert.equal(first?.name, 'write_readme')
    assert.deepEqual(first?.args, { text: '# Plants\n\nWhat it is to do:\n\n- Track plants\n' })
    const names = askPlan('- Track plants', [promptBlock('readme', '# Ours')]).toolCalls?.map(
      ({ name }) => name,
    )
    assert.deepEqual(names, ['create_ticket'])
  })

  test('a message without anything to build creates no ticket, and the reply suggests a request that can be built', () => {
    for (const message of ['What can you do?', 'How are you', 'Hello there', 'Make the header pink']) {
      const turn = askPlan(message)
      assert.equal(turn.toolCalls, undefined)
      assert.match(
        turn.text ?? '',
        /needs an AI model\. Connect one, or say: .*built-in program.*I wrote nothing\.$/s,
      )
    }
  })

  test('the reply says which of the created tickets only an AI model can build', () => {
    const turn = askPlan('- Track plants\n- Make the header pink\n- Add a price to plants')
    assert.equal(ticketsOf(turn).length, 3)
    assert.match(turn.text ?? '', / To be built, "Make the header pink" needs an AI model\./)
  })

  test('a single sentence that describes a list becomes one ticket', () => {
    assert.deepEqual(
      ticketsOf(askPlan('Keep track of suppliers with name and phone.')).map(
        (args) => (args as { title: string }).title,
      ),
      ['Keep track of suppliers with name and phone'],
    )
  })

  test('a message that requests to stop mails, notifications, a limit or the bot protection becomes a ticket', () => {
    for (const said of [
      'Stop mailing us',
      'Turn off the notifications',
      'Remove the limit',
      'Stop the bot protection',
    ]) {
      const turn = askPlan(said, [promptBlock('project', 'Collection orders: name text, price number')])
      assert.deepEqual(
        ticketsOf(turn).map((args) => (args as { body: string }).body),
        [said],
      )
      assert.doesNotMatch(turn.text ?? '', /needs an AI model/, said)
    }
  })

  test('a ticket that an earlier attempt with the same message created is not created again', () => {
    const written = promptBlock('already-written', 'tkt_1 "Say \\"hi\\"" (task, todo, priority none)')
    const turn = askPlan('- Say "hi"\n- Tidy', [written])
    assert.deepEqual(
      ticketsOf(turn).map((args) => (args as { title: string }).title),
      ['Tidy'],
    )
  })

  test('the reply lists the created tickets and the tickets that create_ticket refused', () => {
    const toolCall = (id: string, name: string) => ({ id, function: { name, arguments: '{}' } })
    const turns: ChatMessage[] = [
      {
        role: 'assistant',
        content: '',
        tool_calls: [toolCall('a', 'create_ticket'), toolCall('b', 'create_ticket')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Created tkt_1 "Tidy".' },
      { role: 'tool', tool_call_id: 'b', content: 'unchanged: this reply has written it already' },
    ]
    const turn = askPlan('- Tidy\n- Tidy', [], turns)
    assert.match(turn.text ?? '', /^Written: "Tidy"\.\n\nNot written: unchanged/)
    assert.deepEqual(turn, askPlan('- Tidy\n- Tidy', [], turns))
  })
})
