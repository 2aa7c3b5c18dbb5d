import assert from 'node:assert/strict'
import { afterEach, describe, type TestContext, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { button, findMessage, Refusal, serve, show } from '../../testing/console.tsx'
import { openDraft } from '../drafts.ts'
import { appDialog } from '../app-dialog.ts'
import { chooseTheme } from '../theme.ts'
import { AccountMenu } from './account-menu.tsx'

const ADA = { id: 'usr_ada', name: 'Ada', email: 'ada@example.test' }
const SIGN_OUT = 'POST /api/auth/sign-out'

const renderMenu = (startsOpen = true) =>
  show(<AccountMenu user={ADA} folded={false} startsOpen={startsOpen} />)
const choose = async (name: string) => fireEvent.click(await screen.findByRole('menuitem', { name }))
/** Returns the themes in the menu, and the chosen theme. */
async function themes() {
  const items = await screen.findAllByRole('menuitemradio')
  const chosen = items.filter((item) => item.getAttribute('aria-checked') === 'true')
  return [items.map((item) => item.textContent), chosen.map((item) => item.textContent)]
}
const watchLeaving = (t: TestContext) => t.mock.method(location, 'assign', () => {})

describe('the menu of the account', () => {
  afterEach(() => {
    chooseTheme('system')
    appDialog.show(null)
  })

  test('an account menu that is pressed before its code has loaded opens once it is loaded', async () => {
    renderMenu()
    assert.ok(await screen.findByRole('menuitem', { name: 'Your account' }))
  })

  test('a theme chosen in the account menu is applied and stored at once', async () => {
    renderMenu()
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
    assert.equal(document.documentElement.dataset.mode, 'dark')
    assert.equal(localStorage.getItem('slipway.theme'), 'dark')
    assert.deepEqual(await themes(), [['Same as the system', 'Light', 'Dark'], ['Dark']])
  })

  test('the account menu shows a theme that was chosen outside the menu after the page was opened', async () => {
    renderMenu(false)
    chooseTheme('dark')
    await act(async () => fireEvent.click(button(/Ada/)))
    assert.deepEqual((await themes())[1], ['Dark'])
  })

  test('“Ask for help” in the account menu opens the help dialog', async () => {
    renderMenu()
    await choose('Ask for help')
    assert.equal(appDialog.get(), 'help')
  })

  test('a sign-out removes the unsent input of the user and opens the sign-in page', async (t) => {
    const gone = watchLeaving(t)
    openDraft('plan', 'prj_1').store('A shop')
    serve({ [SIGN_OUT]: () => ({ success: true }) })
    renderMenu()
    await choose('Sign out')
    await waitFor(() => assert.equal(gone.mock.callCount(), 1))
    assert.deepEqual(gone.mock.calls[0]?.arguments, ['/sign-in'])
    assert.deepEqual(Object.keys(localStorage), [])
  })

  test('a failed sign-out shows the reason, and keeps the page and the unsent input', async (t) => {
    const gone = watchLeaving(t)
    openDraft('plan', 'prj_1').store('A shop')
    serve({ [SIGN_OUT]: () => new Refusal(429, 'rate_limited', 'Too many requests.', 60) })
    renderMenu()
    await choose('Sign out')
    await findMessage(/Too many requests/)
    assert.equal(gone.mock.callCount(), 0)
    assert.equal(openDraft('plan', 'prj_1').read(), 'A shop')
  })
})
