import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { serveHeld } from '../../../testing/held.ts'
import { TestIdea } from './test-idea.tsx'

const POST_IDEA = 'POST /i/ing_1'
const SECRET = 'whsec_a'
const source = { id: 'ing_1', secret: SECRET, projectId: 'prj_1' }
const showTestIdea = () => show(<TestIdea source={source} />)

function renderTestIdea(answer: () => unknown = () => null) {
  const calls = serve({ [POST_IDEA]: answer })
  showTestIdea()
  return () => sent(calls, POST_IDEA)
}

describe('the test idea of an ingest source', () => {
  test('the test of an ingest source posts the example idea, or the text typed in its place, without surrounding blanks', async () => {
    const bodies = renderTestIdea()
    press('Post idea')
    await screen.findByText('Accepted.')
    write('Idea', '  A bigger font\n')
    press('Post idea')
    await waitFor(() => assert.equal(bodies()?.length, 2))
    assert.deepEqual(bodies(), [
      { text: 'Dark mode, because my eyes hurt at night' },
      { text: 'A bigger font' },
    ])
  })

  test('a blank test idea is not posted, and its field shows the error and takes the focus until it has text', async () => {
    const bodies = renderTestIdea()
    write('Idea', ' \t ')
    button('Post idea').focus()
    press('Post idea')
    assert.ok(isShown('Write an idea first.'))
    assert.equal(field('Idea').getAttribute('aria-invalid'), 'true')
    assert.ok(document.activeElement === field('Idea'))
    await untilSent()
    assert.deepEqual(bodies(), [])
    write('Idea', 'A bigger font')
    press('Post idea')
    await screen.findByText('Accepted.')
    assert.ok(!isShown('Write an idea first.'))
  })

  test('Enter posts a test idea, and pressing the button during the request does not post it again', async () => {
    const { isAsked, sent: bodies, respond } = serveHeld(POST_IDEA, null)
    showTestIdea()
    fireEvent.submit(field('Idea').form as HTMLFormElement)
    await isAsked()
    press(/Post idea/)
    await respond()
    assert.ok(isShown('Accepted.'))
    assert.equal(bodies()?.length, 1)
  })

  test('the link to the project of a test idea opens a new tab, because leaving the page would lose the secret', async () => {
    renderTestIdea()
    assert.ok(!isThere('link'))
    press('Post idea')
    const link = await screen.findByRole('link', { name: 'See it in the project' })
    assert.equal(link.getAttribute('target'), '_blank')
    assert.match(link.getAttribute('href') ?? '', /^\/projects\/prj_1.*pane=tickets/)
  })

  test('a refused test idea shows the request id, stays in its field, and removes the “Accepted” of an earlier idea', async () => {
    const answers = [null, new Refusal(401, 'unauthorized', 'The signature is wrong.')]
    renderTestIdea(() => answers.shift())
    press('Post idea')
    await screen.findByText('Accepted.')
    write('Idea', 'A bigger font')
    press('Post idea')
    await assertAlert(/The idea was not accepted.*req_test/)
    assert.ok(!isShown('Accepted.'))
    assert.equal(field('Idea').value, 'A bigger font')
  })

  test('when the browser cannot sign a test idea, the page shows no form and says where signing works', (t) => {
    t.mock.property(globalThis, 'isSecureContext', false)
    renderTestIdea()
    assert.ok(isShown(/Browsers sign on https pages and on localhost only/))
    assert.ok(!isThere('textbox'))
    assert.ok(!isThere('button'))
  })
})
