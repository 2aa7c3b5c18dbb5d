import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { rememberOrganization } from '../../api/account/last-organization.ts'
import { meQuery } from '../../api/account/session.ts'
import { queryClient } from '../../api/request/query-client.ts'
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
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import type { Boot } from '../../shell/boot.ts'
import { Reset } from './reset.tsx'
import { SignIn } from './sign-in.tsx'
import { SignUp } from './sign-up.tsx'
import { TwoFactorChallenge } from './two-factor.tsx'
import { VerifyEmail } from './verify-email.tsx'

const SIGN_IN = 'POST /api/auth/sign-in/email'
const SIGN_UP = 'POST /api/auth/sign-up/email'
const ASK_FOR_LINK = 'POST /api/auth/request-password-reset'
const SEND_LINK = 'POST /api/auth/send-verification-email'
const SWITCH = 'POST /api/auth/organization/set-active'
const ME = 'GET /me'
const me = (organizationId: string) => ({
  user: { id: 'usr_ada', name: 'Ada', email: 'ada@example.test' },
  organization: { id: organizationId, name: 'Ada’s' },
})

/** Writes the boot data into the page, as the service does before it sends the page. */
function bootAs(part: Partial<Boot>): void {
  const boot: Boot = {
    version: '1',
    signup: 'open',
    mail: 'smtp',
    localWorld: false,
    mailboxUrl: null,
    ...part,
  }
  const script = Object.assign(document.createElement('script'), { type: 'application/json', id: 'boot' })
  script.textContent = JSON.stringify(boot)
  document.getElementById('boot')?.remove()
  document.body.append(script)
}
const linkOf = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')
const fillSignIn = () => {
  write('E-mail', 'ada@example.test')
  write('Password', 'correct horse')
}

describe('the pages of the sign-in', () => {
  beforeEach(() => {
    // A visitor has no user yet.
    queryClient.clear()
    bootAs({})
  })
  afterEach(() => document.getElementById('boot')?.remove())

  describe('the sign-in page', () => {
    const open = async (address: string, answers: Record<string, () => unknown> = {}) => {
      const calls = serve({ [SIGN_IN]: () => ({ user: {} }), [ME]: () => me('org_1'), ...answers })
      return { calls, ...(await showAt('/signed-out/sign-in', SignIn, address)) }
    }

    test('after the sign-in the requested page opens', async () => {
      const { place } = await open('/sign-in?next=%2Fprojects%2Fprj_1%3Ftab%3Dplan')
      fillSignIn()
      press('Sign in')
      await waitFor(() => assert.equal(place(), '/projects/prj_1?tab=plan'))
    })

    test('a sign-in link that would return to another site leads to the home page after the sign-in', async () => {
      const { place } = await open(`/sign-in?next=${encodeURIComponent('//evil.test/x')}`)
      fillSignIn()
      press('Sign in')
      await waitFor(() => assert.equal(place(), '/'))
    })

    test('a sign-in switches to the organization that the user last used on this device, and opens the requested page', async () => {
      rememberOrganization('usr_ada', 'org_2')
      const { calls, place } = await open('/sign-in?next=%2Fprojects', { [SWITCH]: () => ({ id: 'org_2' }) })
      fillSignIn()
      press('Sign in')
      await waitFor(() => assert.equal(place(), '/projects'))
      assert.deepEqual(sent(calls, SWITCH), [{ organizationId: 'org_2' }])
      assert.equal(queryClient.getQueryData(meQuery().queryKey), undefined, 'the user is read again')
    })

    test('when the organization that was last used cannot be opened, the sign-in still opens the requested page', async () => {
      rememberOrganization('usr_ada', 'org_2')
      for (const answers of [
        { [SWITCH]: () => new Refusal(403, 'forbidden', 'You have left it.') },
        { [ME]: () => new Refusal(403, 'two_factor_required', 'Set it up first.') },
      ]) {
        const { place } = await open('/sign-in?next=%2Fprojects', answers)
        fillSignIn()
        press('Sign in')
        await waitFor(() => assert.equal(place(), '/projects'))
        cleanup()
      }
    })

    test('a sign-in drops the cached data of another user', async () => {
      queryClient.setQueryData(['secret'], 'of another user')
      const { place } = await open('/sign-in?next=%2Fprojects')
      fillSignIn()
      press('Sign in')
      await waitFor(() => assert.equal(place(), '/projects'))
      assert.equal(queryClient.getQueryData(['secret']), undefined)
    })

    test('with two-factor authentication, the right password leads to the code page, which keeps the page to return to', async () => {
      const { place } = await open('/sign-in?next=%2Factivity', {
        [SIGN_IN]: () => ({ twoFactorRedirect: true }),
      })
      fillSignIn()
      press('Sign in')
      await waitFor(() => assert.equal(place(), '/two-factor?next=%2Factivity'))
    })

    test('the link from the sign-in to the sign-up keeps the page to return to', async () => {
      await open('/sign-in?next=%2Finvite%2Finv_1')
      assert.equal(linkOf('Create an account'), '/sign-up?next=%2Finvite%2Finv_1')
      assert.equal(linkOf('Forgot your password?'), '/reset')
    })

    test('a refused single sign-on shows the first 60 characters of the reason as plain text', async () => {
      await open(`/sign-in?error=${encodeURIComponent(`<b>access_denied</b>${'x'.repeat(500)}`)}`)
      assert.ok(isShown(/was refused \(<b>access_denied<\/b>x{40}\)/))
    })

    test('the single sign-on form leads back to the sign-in with a password', async () => {
      await open('/sign-in')
      press('Sign in with your organization')
      await screen.findByRole('button', { name: 'Continue' })
      assert.ok(!isThere('textbox', 'Password'))
      press('Use a password instead')
      assert.ok(await screen.findByLabelText('Password'))
    })
  })

  describe('the page for the code of a second factor', () => {
    test('the page for the two-factor code leads back to the sign-in, with the page to return to', async () => {
      serve({})
      await showAt('/signed-out/two-factor', TwoFactorChallenge, '/two-factor?next=%2Factivity')
      assert.equal(linkOf('Back to sign-in'), '/sign-in?next=%2Factivity')
    })

    test('a two-factor code in full-width digits, as Japanese and Chinese keyboards type, is accepted', async () => {
      const calls = serve({ 'POST /api/auth/two-factor/verify-totp': () => ({}), [ME]: () => me('org_1') })
      const { place } = await showAt(
        '/signed-out/two-factor',
        TwoFactorChallenge,
        '/two-factor?next=%2Factivity',
      )
      write('Code', '１２３　４５６')
      press('Sign in')
      await waitFor(() => assert.equal(place(), '/activity'))
      assert.deepEqual(sent(calls, 'POST /api/auth/two-factor/verify-totp'), [
        { code: '123456', trustDevice: false },
      ])
    })
  })

  describe('the page to create an account', () => {
    const open = async (address: string, answer: () => unknown = () => ({ token: 'tok' })) => {
      const calls = serve({ [SIGN_UP]: answer, [ME]: () => me('org_1') })
      return { calls, ...(await showAt('/signed-out/sign-up', SignUp, address)) }
    }
    const fill = () => {
      write('Your name', 'Ada')
      fillSignIn()
    }

    test('where signing up needs an invitation, a visitor without one sees no form and a link to the sign-in', async () => {
      bootAs({ signup: 'invite' })
      await open('/sign-up')
      assert.ok(isShown('Sign-up is by invitation here.'))
      assert.ok(!isThere('textbox'))
      assert.equal(linkOf('Sign in'), '/sign-in')
    })

    test('where signing up needs an invitation, the link of an invitation opens the form', async () => {
      bootAs({ signup: 'invite' })
      await open('/sign-up?next=%2Finvite%2Finv_1')
      assert.ok(field('Your name'))
    })

    test('where signing up needs an invitation, an invitation in the query of the page to return to opens no form', async () => {
      bootAs({ signup: 'invite' })
      await open(`/sign-up?next=${encodeURIComponent('/projects?from=/invite/inv_1')}`)
      assert.ok(!isThere('textbox'))
    })

    test('where e-mail addresses are not verified, creating an account opens the page to return to', async () => {
      const { place } = await open('/sign-up?next=%2Fprojects')
      fill()
      press('Create account')
      await waitFor(() => assert.equal(place(), '/projects'))
    })

    test('signing up with an e-mail address that was not invited keeps the input and says which address is needed', async () => {
      await open('/sign-up?next=%2Finvite%2Finv_1', () => new Refusal(403, 'forbidden', 'No.'))
      fill()
      press('Create account')
      await assertAlert(/Use the one the invitation was sent to/)
      assert.deepEqual([field('Your name').value, field('E-mail').value], ['Ada', 'ada@example.test'])
    })

    test('pressing “Create account” twice creates one account', async () => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const { calls, place } = await open('/sign-up', () => promise)
      fill()
      press('Create account')
      await waitFor(() => assert.equal(calls[SIGN_UP]?.length, 1))
      press(/Create account/)
      fireEvent.submit(field('E-mail').form as HTMLFormElement)
      resolve({ token: null })
      await waitFor(() => assert.match(place(), /verify-email/))
      assert.equal(calls[SIGN_UP]?.length, 1)
    })

    test('a name of spaces counts as missing when signing up, and the first invalid field gets the focus', async () => {
      const { calls } = await open('/sign-up')
      write('Your name', '   ')
      write('E-mail', 'ada@')
      press('Create account')
      assert.ok(document.activeElement === field('Your name'))
      assert.equal(field('Your name').getAttribute('aria-invalid'), 'true')
      assert.equal(field('E-mail').getAttribute('aria-invalid'), 'true')
      await untilSent()
      assert.deepEqual(calls[SIGN_UP], [])
    })
  })

  describe('the page to reset a password', () => {
    const open = async (address: string, answer: () => unknown = () => ({ status: true })) => {
      const calls = serve({ [ASK_FOR_LINK]: answer })
      return { calls, ...(await showAt('/signed-out/reset', Reset, address)) }
    }

    test('after a request for a password reset, the page does not say whether the address has an account', async () => {
      const { calls } = await open('/reset')
      write('E-mail', '  nobody@example.test ')
      press('Send link')
      assert.ok(
        await screen.findByText(/If there is an account for nobody@example.test, a link is on its way/),
      )
      assert.deepEqual(sent(calls, ASK_FOR_LINK), [{ email: 'nobody@example.test' }])
    })

    test('a used or expired password reset link opens a page that explains this and offers a new link', async () => {
      await open('/reset?error=INVALID_TOKEN')
      assert.ok(isShown(/This link was already used or is older than one hour/))
      assert.ok(field('E-mail'))
    })

    test('a failed request for a password reset link keeps the e-mail address, and can be sent again', async () => {
      const answers: (() => unknown)[] = [
        () => new Refusal(500, 'server_error', 'Broken.'),
        () => ({ status: true }),
      ]
      await open('/reset', () => answers.shift()?.())
      write('E-mail', 'ada@example.test')
      press('Send link')
      await screen.findByRole('alert')
      assert.equal(field('E-mail').value, 'ada@example.test')
      write('E-mail', 'ada')
      press('Send link')
      assert.ok(!isThere('alert'), 'the error does not outlast an attempt with an incomplete address')
      write('E-mail', 'ada@example.test')
      press('Send link')
      await screen.findByText('Check your mail')
    })

    test('the link of a password reset mail opens the form for the new password, and not the form for the address', async () => {
      await open('/reset?token=tok_1')
      assert.ok(field('New password'))
      assert.ok(!isShown('E-mail'))
      assert.equal(field('New password').autocomplete, 'new-password')
    })
  })

  describe('the page about the verification of an address', () => {
    const open = async (address: string) => {
      const calls = serve({ [SEND_LINK]: () => ({ status: true }) })
      return { calls, ...(await showAt('/signed-out/verify-email', VerifyEmail, address)) }
    }

    test('after the sign-up the page shows the address to which the verification link was sent, and can send it again once', async () => {
      const { calls } = await open('/verify-email?email=ada%40example.test&next=%2Finvite%2Finv_1')
      assert.ok(isShown(/A link is on its way to ada@example.test/))
      press('Send the link again')
      await screen.findByText(/a new link is on its way/)
      assert.ok(!isThere('button', 'Send the link again'))
      assert.deepEqual(sent(calls, SEND_LINK), [
        { email: 'ada@example.test', callbackURL: '/verify-email?next=%2Finvite%2Finv_1' },
      ])
    })

    test('the page opened by a verification link leads to the page to return to, and never to another site', async () => {
      await open('/verify-email?next=%2Finvite%2Finv_1')
      assert.equal(linkOf('Continue'), '/invite/inv_1')
      cleanup()
      await open(`/verify-email?next=${encodeURIComponent('/\t/evil.test')}`)
      assert.equal(linkOf('Continue'), '/')
    })

    test('the page opened by an expired verification link explains this and leads to the sign-in', async () => {
      await open('/verify-email?error=TOKEN_EXPIRED&next=%2Finvite%2Finv_1')
      assert.ok(isShown('This link does not work any more'))
      assert.ok(!isThere('button', 'Send the link again'), 'the address is not known')
      assert.equal(linkOf('Back to sign-in'), '/sign-in?next=%2Finvite%2Finv_1')
    })

    test('the page about e-mail verification says where the service stores its mail only when no mail server is configured', async () => {
      bootAs({ mail: 'outbox', mailboxUrl: 'http://localhost:8788/' })
      await open('/verify-email?email=ada%40example.test')
      assert.equal(linkOf('Open the mailbox'), 'http://localhost:8788/')
      cleanup()
      bootAs({ mail: 'held' })
      await open('/verify-email?email=ada%40example.test')
      assert.ok(isShown(/mails are held/))
      cleanup()
      bootAs({ mail: 'smtp' })
      await open('/verify-email?email=ada%40example.test')
      assert.ok(!isShown(/mails are held|keeps its mails/))
      assert.ok(button('Send the link again'))
    })
  })
})
