import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { OrganizationSettings } from './organization.tsx'

const LIST_ORGANIZATIONS = 'GET /api/auth/organization/list'
const UPDATE_ORGANIZATION = 'POST /api/auth/organization/update'
const LEAVE_ORGANIZATION = 'POST /api/auth/organization/leave'
const acme = { id: 'org_1', name: 'Acme', slug: 'acme' }

async function renderOrganization(answers: Record<string, () => unknown> = {}, role = 'owner') {
  const calls = serve({
    'GET /me': () => ({
      user: { id: 'usr_1', name: 'Ada' },
      organization: acme,
      role,
      scopes: [],
      plan: 'free',
    }),
    [LIST_ORGANIZATIONS]: () => [acme],
    [UPDATE_ORGANIZATION]: () => acme,
    [LEAVE_ORGANIZATION]: () => null,
    ...answers,
  })
  await showAt('/app/settings/organization', OrganizationSettings, '/settings/organization')
  await screen.findByRole('heading', { name: 'Leave this organization' })
  return calls
}

describe('the name of the organization', () => {
  test('changed names of an organization are saved without surrounding spaces, and a message confirms it', async () => {
    let stored = acme
    const calls = await renderOrganization({
      [LIST_ORGANIZATIONS]: () => [stored],
      [UPDATE_ORGANIZATION]: () => (stored = { ...acme, name: 'Acme Gardens' }),
    })
    write('Name', ' Acme Gardens ')
    press('Save changes')
    assert.ok(await findMessage('Saved.'))
    assert.deepEqual(sent(calls, UPDATE_ORGANIZATION), [
      { organizationId: 'org_1', data: { name: 'Acme Gardens' } },
    ])
    await waitFor(() => assert.equal(field('Name').value, 'Acme Gardens'))
  })

  test('after a reload an unsaved organization name is restored, beside the name that another admin saved meanwhile', async () => {
    await renderOrganization()
    write('Name', 'Acme Gardens')
    cleanup()
    queryClient.removeQueries({ queryKey: ['organizations'] })
    let stored = { ...acme, name: 'Acme Ltd' }
    await renderOrganization({
      [LIST_ORGANIZATIONS]: () => [stored],
      [UPDATE_ORGANIZATION]: () => (stored = { ...acme, name: 'Acme Gardens' }),
    })
    assert.ok(isShown('Your unsent text is back.'))
    await assertAlert(/“Name” was saved with another value.*Acme Ltd/)
    assert.equal(field('Name').value, 'Acme Gardens')
    press('Save changes')
    await waitFor(() => assert.equal(localStorage.length, 0))
    assert.ok(!isShown('Your unsent text is back.'))
  })

  test('when another admin renames the organization while a name is typed, the typed name stays and only it is saved', async () => {
    let stored = acme
    const calls = await renderOrganization({ [LIST_ORGANIZATIONS]: () => [stored] })
    write('Name', 'Acme Gardens')
    stored = { ...acme, name: 'Acme Ltd', slug: 'acme-ltd' }
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => assert.equal(field('Short name').value, 'acme-ltd'))
    assert.equal(field('Name').value, 'Acme Gardens')
    press('Save changes')
    await waitFor(() => assert.equal(calls[UPDATE_ORGANIZATION]?.length, 1))
    assert.deepEqual(sent(calls, UPDATE_ORGANIZATION), [
      { organizationId: 'org_1', data: { name: 'Acme Gardens' } },
    ])
  })

  test('when no name of the organization was changed, the save button sends nothing and says why', async () => {
    const calls = await renderOrganization()
    press('Save changes')
    assert.equal(button('Save changes').getAttribute('aria-description'), 'Nothing has changed.')
    await untilSent()
    assert.deepEqual(calls[UPDATE_ORGANIZATION], [])
  })

  test('an empty or invalid name of an organization is explained at its field, and the first such field takes the focus', async () => {
    const calls = await renderOrganization()
    write('Name', '  ')
    write('Short name', 'Acme Gardens')
    press('Save changes')
    assert.ok(isShown('Enter a name.'))
    assert.ok(isShown('Use small letters, digits and dashes, at most 48.'))
    assert.ok(document.activeElement === field('Name'))
    await untilSent()
    assert.deepEqual(calls[UPDATE_ORGANIZATION], [])
  })

  test("an organization's short name that is already taken is reported in an alert, and the input stays", async () => {
    await renderOrganization({
      [UPDATE_ORGANIZATION]: () => new Refusal(400, 'ORGANIZATION_SLUG_ALREADY_TAKEN', 'taken'),
    })
    write('Short name', 'gardens')
    press('Save changes')
    await assertAlert(/Another organization has this short name.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    assert.equal(field('Short name').value, 'gardens')
  })

  test('a member sees the names of the organization and who may change them, but cannot save', async () => {
    const calls = await renderOrganization({}, 'member')
    await screen.findByText('Owners and admins can change these.')
    assert.equal(field('Name').readOnly, true)
    fireEvent.submit(field('Name').form as HTMLFormElement)
    await untilSent()
    assert.deepEqual(calls[UPDATE_ORGANIZATION], [])
  })
})

describe('leaving an organization', () => {
  const openDialog = async (answers: Record<string, () => unknown> = {}) => {
    const calls = await renderOrganization(answers)
    press('Leave organization')
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave Acme?' }))
    return {
      calls,
      confirm: () => fireEvent.click(dialog.getByRole('button', { name: 'Leave organization' })),
    }
  }

  test("leaving an organization needs its exact name typed, and the dialog says that the user's API keys are revoked", async () => {
    const { calls, confirm } = await openDialog()
    assert.ok(isShown(/API keys you created are revoked/))
    confirm()
    write('Type Acme to confirm', 'acme')
    confirm()
    await untilSent()
    assert.deepEqual(calls[LEAVE_ORGANIZATION], [])
  })

  test('the only owner cannot leave an organization, and the dialog says to make another member an owner first', async () => {
    const code = 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'
    const { calls, confirm } = await openDialog({ [LEAVE_ORGANIZATION]: () => new Refusal(400, code, 'no') })
    write('Type Acme to confirm', 'Acme')
    confirm()
    await assertAlert(/Make another member an owner under Members first/)
    assert.deepEqual(sent(calls, LEAVE_ORGANIZATION), [{ organizationId: 'org_1' }])
    press('Cancel')
    await waitFor(() => assert.ok(!isThere('dialog')))
    press('Leave organization')
    await screen.findByRole('dialog')
    assert.ok(!isThere('alert'), 'the error of the try before is gone')
  })
})
