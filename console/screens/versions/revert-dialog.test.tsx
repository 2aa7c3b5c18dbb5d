import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  findMessage,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { RevertDialog } from './revert-dialog.tsx'

const SHA = 'abc1234def'
const READ_DIFF = `GET /projects/prj_1/versions/${SHA}/diff`
const REVERT_VERSION = `POST /projects/prj_1/versions/${SHA}/revert`
const diffOf = (...paths: string[]) => ({
  sha: SHA,
  base: 'fff0000aaa',
  files: paths.map((path) => ({ path, added: 1, removed: 2, status: 'modified' })),
})

function renderRevertDialog(answers: Record<string, () => unknown>) {
  const did: string[] = []
  const calls = serve(answers)
  const dialog = (newest: string) => (
    <RevertDialog
      projectId="prj_1"
      sha={SHA}
      newest={newest}
      onDone={() => did.push('done')}
      onClose={() => did.push('closed')}
    />
  )
  const { rerender } = show(dialog('fff0000aaa'))
  return {
    did,
    calls,
    sent: () => calls[REVERT_VERSION]?.length,
    /** Shows the dialog with another newest version, as a new read of the versions does. */
    newestIs: (newest: string) => rerender(dialog(newest)),
  }
}
const submitButton = () => button('Go back to abc1234') as HTMLButtonElement

describe('the dialog that reverts to an earlier version', () => {
  test('a revert to an earlier version cannot be confirmed before the changed files are loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, sent } = renderRevertDialog({
      [READ_DIFF]: () => promise,
      [REVERT_VERSION]: () => ({ restored: SHA }),
    })
    assert.ok(isShown('Reading what would change.'))
    press('Go back to abc1234')
    await untilSent()
    assert.equal(sent(), 0)
    resolve(diffOf('web/<b>form</b>.tsx'))
    await screen.findByText('web/<b>form</b>.tsx')
    assert.ok(isShown(/1 file changes/))
    assert.deepEqual(calls[READ_DIFF]?.[0]?.query, { base: 'fff0000aaa' })
    press('Go back to abc1234')
    await waitFor(() => assert.equal(sent(), 1))
  })

  test('when the changed files of a revert cannot be loaded, an alert shows the reason, and the revert cannot be confirmed', async () => {
    renderRevertDialog({ [READ_DIFF]: () => new Refusal(409, 'conflict', 'The repository is being moved.') })
    await assertAlert(/The repository is being moved/)
    assert.ok(!isShown('Reading what would change.'))
    assert.ok(isShown(/The changes could not be read/))
    assert.equal(submitButton().disabled, true)
  })

  test('a revert to a version that does not differ from the newest one cannot be confirmed', async () => {
    renderRevertDialog({ [READ_DIFF]: () => diffOf() })
    await screen.findByText(/there is nothing to revert/)
    assert.equal(submitButton().disabled, true)
  })

  test('two clicks send one revert, and a refused revert keeps the dialog open with the list of files', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { did, sent } = renderRevertDialog({
      [READ_DIFF]: () => diffOf('a.ts', 'b.ts'),
      [REVERT_VERSION]: () => promise,
    })
    await screen.findByText('a.ts')
    press('Go back to abc1234')
    await waitFor(() => assert.equal(sent(), 1))
    press(/Go back to abc1234/)
    resolve(new Refusal(409, 'conflict', 'A build is running.'))
    await assertAlert(/A build is running/)
    assert.deepEqual([sent(), did], [1, []])
    assert.ok(isShown('b.ts'))
  })

  const REVERT_BACK = 'POST /projects/prj_1/versions/fff0000aaa/revert'
  const answersOf = (undo: () => unknown) => ({
    [READ_DIFF]: () => diffOf('a.ts'),
    [REVERT_VERSION]: () => ({ restored: SHA }),
    [REVERT_BACK]: undo,
  })

  test('“Undo” after a revert goes back to the version that was the newest before the revert', async () => {
    const { calls, did } = renderRevertDialog(answersOf(() => ({ restored: 'fff0000aaa' })))
    await screen.findByText('a.ts')
    press('Go back to abc1234')
    await waitFor(() => assert.deepEqual(did, ['done']))
    await findMessage(/^The code is back at abc1234/)
    press('Undo')
    await waitFor(() => assert.equal(calls[REVERT_BACK]?.length, 1))
  })

  test('“Undo” after a revert goes back to the version before it, even when the versions were read again meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, did, sent, newestIs } = renderRevertDialog({
      ...answersOf(() => ({ restored: 'fff0000aaa' })),
      [REVERT_VERSION]: () => promise,
    })
    await screen.findByText('a.ts')
    press('Go back to abc1234')
    await waitFor(() => assert.equal(sent(), 1))
    newestIs('eee9999bbb')
    resolve({ restored: SHA })
    await waitFor(() => assert.deepEqual(did, ['done']))
    await findMessage(/^The code is back at abc1234/)
    press('Undo')
    await waitFor(() => assert.equal(calls[REVERT_BACK]?.length, 1))
  })

  test('an “Undo” of a revert that the service refuses shows the reason', async () => {
    const { did } = renderRevertDialog(answersOf(() => new Refusal(409, 'conflict', 'A build is running.')))
    await screen.findByText('a.ts')
    press('Go back to abc1234')
    await waitFor(() => assert.deepEqual(did, ['done']))
    await findMessage(/^The code is back at abc1234/)
    press('Undo')
    await findMessage(/A build is running/)
  })
})
