import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { readmeQuery } from '../../api/project/plan.ts'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  serve,
  show,
} from '../../testing/console.tsx'
import { ReadmePanel } from './readme-panel.tsx'

const README = 'GET /projects/prj_1/readme'

/** `readme.now` is what the service returns; a test changes it, as the plan agent does. */
function showPanel(now: unknown) {
  const readme = { now }
  const calls = serve({ [README]: () => readme.now })
  show(<ReadmePanel projectId="prj_1" />)
  return { readme, calls }
}
const isLoading = () => isThere('status', 'Loading')

describe('the README beside the plan', () => {
  test('the README is shown as formatted text, with a button that copies its source', async (t) => {
    const copied: string[] = []
    t.mock.method(navigator.clipboard, 'writeText', async (words: string) => void copied.push(words))
    showPanel('# Plants\n\nA *shop*.')
    assert.ok(isLoading())
    assert.ok(!isShown('No README yet'))
    assert.ok(await screen.findByRole('heading', { name: 'Plants' }))
    assert.ok(!isLoading())
    press('Copy the README')
    await waitFor(() => assert.deepEqual(copied, ['# Plants\n\nA *shop*.']))
  })

  test('a project without a README says who writes it, and there is nothing to copy', async () => {
    showPanel('')
    assert.ok(await screen.findByRole('heading', { name: 'No README yet' }))
    assert.ok(isShown(/Ask for it at any time/))
    assert.ok(!isThere('button'))
  })

  test('a README that cannot be loaded shows the request id and can be requested again', async () => {
    const { readme } = showPanel(new Refusal(403, 'forbidden', 'You may not.'))
    await assertAlert(/You may not.*req_test/)
    readme.now = '# Plants'
    press('Try again')
    assert.ok(await screen.findByRole('heading', { name: 'Plants' }))
    assert.ok(!isThere('alert'))
  })

  test('a README that the plan agent changes replaces the shown one, and a failed read keeps the shown one', async () => {
    const { readme } = showPanel('# Plants')
    await screen.findByRole('heading', { name: 'Plants' })
    readme.now = '# Ferns'
    await readAgain(readmeQuery('prj_1').queryKey)
    assert.ok(await screen.findByRole('heading', { name: 'Ferns' }))
    readme.now = new Refusal(403, 'forbidden', 'You may not.')
    await readAgain(readmeQuery('prj_1').queryKey)
    assert.ok(isThere('heading', 'Ferns'))
    assert.ok(!isThere('alert'))
  })

  test('scripts and `javascript:` links in a README do not become part of the page', async () => {
    showPanel(
      '# Plants\n\n<script>alert(1)</script>\n\n[here](javascript:alert(1))\n\n<img src=x onerror=alert(1)>',
    )
    await screen.findByRole('heading', { name: 'Plants' })
    assert.deepEqual(
      ['script', '[onerror]', 'a[href^="javascript"]'].map(
        (part) => screen.getByRole('region').querySelector(part) === null,
      ),
      [true, true, true],
    )
  })

  test('a long README can be scrolled with the keyboard', async () => {
    showPanel(`# Plants\n\n${'A long line. '.repeat(2000)}`)
    const panel = screen.getByRole('region', { name: 'README' })
    await screen.findByRole('heading', { name: 'Plants' })
    assert.equal(panel.tabIndex, 0)
  })
})
