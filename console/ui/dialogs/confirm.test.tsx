import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { assertAlert, button, press, show, write } from '../../testing/console.tsx'
import { Confirm, type ConfirmProps } from './confirm.tsx'

function renderConfirm(part: Partial<ConfirmProps> = {}) {
  const did: string[] = []
  show(
    <Confirm
      title="Delete “Plants”?"
      consequence="The app and its data are gone."
      submit="Delete project"
      busy={false}
      error={null}
      onConfirm={() => did.push('confirm')}
      onClose={() => did.push('close')}
      {...part}
    />,
  )
  return did
}

/** Opens the dialog after an attempt that failed with the error `before`. The returned `fail` makes a new attempt fail. */
function openAgain(before: unknown) {
  let fail: (error: unknown) => void = () => {}
  function Page() {
    const [error, setError] = useState(before)
    fail = setError
    return (
      <Confirm
        title="Delete?"
        consequence="It is gone."
        submit="Delete"
        busy={false}
        error={error}
        onConfirm={() => {}}
        onClose={() => {}}
      />
    )
  }
  show(<Page />)
  return { fail: (error: unknown) => act(() => fail(error)) }
}

describe('the confirmation dialog', () => {
  test('the confirmation dialog names what is deleted and the consequences, and confirms only when its button is clicked', () => {
    const did = renderConfirm()
    const dialog = screen.getByRole('dialog', { name: 'Delete “Plants”?' })
    assert.match(dialog.textContent ?? '', /The app and its data are gone/)
    assert.deepEqual(did, [])
    press('Delete project')
    assert.deepEqual(did, ['confirm'])
  })

  test('Cancel and Escape close the confirmation dialog without confirming', () => {
    const did = renderConfirm()
    press('Cancel')
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    assert.deepEqual(did, ['close', 'close'])
  })

  test('a deletion cannot be confirmed until the exact name is typed', () => {
    const did = renderConfirm({ typed: 'Plants' })
    const label = 'Type Plants to confirm'
    press('Delete project')
    write(label, 'plants')
    press('Delete project')
    assert.deepEqual(did, [])
    write(label, ' Plants ')
    press('Delete project')
    assert.deepEqual(did, ['confirm'])
  })

  test('a name that only looks similar to the required one does not confirm a deletion', () => {
    const did = renderConfirm({ typed: 'Plants' })
    // The second letter is a Cyrillic а, the third name is in full-width letters.
    for (const typed of ['Plant', 'Pl\u0430nts', '\uff30lants', 'Plants Plants', '']) {
      write('Type Plants to confirm', typed)
      press('Delete project')
    }
    assert.deepEqual(did, [])
  })

  test("a confirmation dialog's button is disabled while the effects of the action are unknown", () => {
    const did = renderConfirm({ isBlocked: true })
    press('Delete project')
    assert.deepEqual(did, [])
    assert.equal((button('Delete project') as HTMLButtonElement).disabled, true)
  })

  const refused = new SlipwayError('A build is running.', {
    code: 'conflict',
    status: 409,
    requestId: 'req_7',
  })

  test('after an error the confirmation dialog shows the request id', async () => {
    const { fail } = openAgain(null)
    fail(refused)
    await assertAlert(/req_7/)
  })

  test('a reopened confirmation dialog does not show the earlier error, but shows the error of a new attempt', async () => {
    const { fail } = openAgain(refused)
    assert.ok(screen.queryByRole('alert') === null)
    fail(new SlipwayError('Still building.', { code: 'conflict', status: 409, requestId: 'req_8' }))
    await assertAlert(/req_8/)
  })

  test('a name with several blanks, invisible characters or separate accents is confirmed by typing it as it looks', () => {
    for (const [name, typed] of [
      ['My  app', 'My app'],
      ['My\u00a0app', 'My app'],
      ['My\tapp\n2', 'My app 2'],
      ['Plants\u200b', 'Plants'],
      // An e with a separate accent, as in file names of a Mac.
      ['Cafe\u0301', 'Caf\u00e9'],
      ['Caf\u00e9', 'Cafe\u0301'],
      ['👩‍🌾 farm', '👩‍🌾 farm'],
    ] as const) {
      const did = renderConfirm({ typed: name })
      write(/^Type/, 'My ap')
      press('Delete project')
      assert.deepEqual(did, [], 'another name confirms nothing')
      write(/^Type/, typed)
      press('Delete project')
      assert.deepEqual(did, ['confirm'], JSON.stringify(name))
      cleanup()
    }
  })
})
