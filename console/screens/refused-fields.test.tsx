import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmailStatus } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { AccountUser } from '../api/account/auth.ts'
import { button, field, isShown, isThere, Refusal, serve, show, write } from '../testing/console.tsx'
import { Profile } from './account/profile.tsx'
import { SenderForm } from './capabilities/email/sender-form.tsx'
import { ConnectionToken } from './settings/connections/connection-token.tsx'
import { KeyDialog } from './settings/keys/key-dialog.tsx'
import { InviteDialog } from './settings/members/invite-dialog.tsx'
import { ModelDiscovery } from './settings/models/model-discovery.tsx'
import { ModelForm, useModelDraft } from './settings/models/model-form.tsx'

const nothing = () => {}
const refusedFor = (name: string) => new Refusal(400, 'invalid_request', `${name}: is not accepted`)

interface RefusedForm {
  /** The request that sends the form. */
  request: string
  part: ReactElement
  /** Fills in a form that cannot be sent as it opens. */
  fill?: () => unknown
  submit: string
  /** The label of the refused field, and the field's name in the message of the service. */
  label: string | RegExp
  refused: string
  refusal?: Refusal
}

const emailStatus = {
  zones: [{ id: 'z1', name: 'shop.example', status: 'active' }],
  sending: { zoneId: null, domain: null, state: 'none', localPart: null, from: null, dns: [] },
} as unknown as EmailStatus
const ada = { id: 'usr_ada', name: 'Ada', email: 'ada@example.test', emailVerified: true } as AccountUser

function NewModel() {
  return <ModelForm model={null} draft={useModelDraft(null)} onClose={nothing} onSaved={nothing} />
}

const REFUSED_FORMS: Record<string, RefusedForm> = {
  'the dialog of a new API key': {
    request: 'POST /keys',
    part: <KeyDialog onClose={nothing} />,
    submit: 'Create key',
    label: 'Name',
    refused: 'name',
  },
  'the dialog that invites a member': {
    request: 'POST /api/auth/organization/invite-member',
    part: <InviteDialog role="owner" onClose={nothing} />,
    submit: 'Create invitation',
    label: 'E-mail',
    refused: 'email',
    refusal: new Refusal(400, 'INVALID_EMAIL', 'Invalid email'),
  },
  'the dialog that connects an account by token': {
    request: 'POST /connections/cloudflare/token',
    part: <ConnectionToken isMove={false} onClose={nothing} />,
    fill: () => write('API token', 'cf_token'),
    submit: 'Connect account',
    label: /^Account id/,
    refused: 'accountId',
  },
  'the form of a model connection': {
    request: 'POST /connections/models',
    part: <NewModel />,
    submit: 'Connect model',
    label: 'Model id',
    refused: 'defaultModel',
  },
  'the form that connects a discovered model': {
    request: 'POST /connections/models',
    part: <ModelDiscovery onClose={nothing} onSaved={nothing} />,
    fill: async () => {
      write('Paste a key, or an address', 'sk-1')
      button('Find models').click()
      await screen.findByText('acme: 1 model')
    },
    submit: 'Connect model',
    label: 'Name',
    refused: 'label',
  },
  'the form of the sender of an app': {
    request: 'POST /projects/prj_1/email/onboard',
    part: <SenderForm projectId="prj_1" status={emailStatus} onDone={nothing} />,
    submit: 'Set up',
    label: 'Sender',
    refused: 'localPart',
  },
  'the form of the profile': {
    request: 'POST /api/auth/update-user',
    part: <Profile user={ada} />,
    submit: 'Save name',
    label: 'Name',
    refused: 'name',
  },
}

describe('a field whose text the service refuses', () => {
  for (const [name, form] of Object.entries(REFUSED_FORMS))
    test(`in ${name}, a field whose text the service refuses is marked and takes the focus`, async () => {
      serve({
        'POST /connections/models/look': () => ({
          provider: 'openai',
          name: 'acme',
          baseUrl: null,
          models: [{ id: 'acme-1', recommended: true }],
          test: { model: 'acme-1', ok: true, latencyMs: 100, error: null },
        }),
        [form.request]: () => form.refusal ?? refusedFor(form.refused),
      })
      show(form.part)
      if (isThere('dialog'))
        await waitFor(() => assert.ok(screen.getByRole('dialog').contains(document.activeElement)))
      await form.fill?.()
      button(form.submit).focus()
      button(form.submit).click()
      await waitFor(() => assert.equal(field(form.label).getAttribute('aria-invalid'), 'true'))
      assert.ok(document.activeElement === field(form.label))
      assert.ok(!isShown(/req_test/), 'the reason is only at the field')
    })
})
