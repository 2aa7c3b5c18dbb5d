import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useId } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { saveSso, type SsoInput } from '../../../api/organization/sso.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { ssoText } from '../../../text/sso.en.ts'
import { focusField } from '../../../ui/browser/focus-field.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { FIELD_STYLE, TextField } from '../../../ui/controls/text-field.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'

const ssoFormText = ssoText.form

type SsoProtocol = 'oidc' | 'saml'

/** What is kept as a draft: everything but the client secret. A certificate of SAML is public. */
const EMPTY_PROVIDER = { kind: 'oidc', issuer: '', domain: '', clientId: '', entryPoint: '', cert: '' }

/** Connects an identity provider, or replaces the connected one. Only this form holds the secret. */
export function SsoForm({ replaces, onClose }: { replaces: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const draft = useDraftFields('sso', '', EMPTY_PROVIDER)
  const kind: SsoProtocol = draft.textOf('kind') === 'saml' ? 'saml' : 'oidc'
  const save = useMutation({
    mutationFn: saveSso,
    onSuccess: async (saved) => {
      draft.place.store('')
      client.setQueryData(queryKeys.sso, saved)
      await client.invalidateQueries({ queryKey: queryKeys.security })
    },
  })
  const cancel = () => {
    draft.clear()
    onClose()
  }
  const failure = save.isError ? describeFailure(save.error) : null
  const at = save.isError ? fieldOf(save.error) : undefined
  const note = (name: string, description?: string) =>
    at === name ? { error: failure?.sentence ?? '' } : description === undefined ? {} : { description }
  const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false, required: true } as const
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        save.mutate(readInput(new FormData(form), kind), {
          onSuccess: onClose,
          onError: (error) => focusField(form, fieldOf(error)),
        })
      }}
    >
      {replaces && <p className="text-[13px] text-kumo-subtle">{ssoFormText.replaces}</p>}
      {failure && !SSO_FIELDS.has(at ?? '') && (
        <FailureNote title={ssoFormText.failed} error={save.error} takeFocus />
      )}
      <FormDraftNote draft={draft} />
      <NativeSelect
        label={ssoFormText.kind}
        value={kind}
        options={[
          { value: 'oidc', label: ssoFormText.oidc },
          { value: 'saml', label: ssoFormText.saml },
        ]}
        onChange={(next) => draft.write({ kind: next })}
      />
      <TextField
        {...draft.field('issuer')}
        label={kind === 'oidc' ? ssoFormText.issuer : ssoFormText.entityId}
        {...plain}
        {...note('issuer', kind === 'oidc' ? ssoFormText.issuerHint : undefined)}
      />
      <TextField
        {...draft.field('domain')}
        label={ssoFormText.domain}
        {...plain}
        {...note('domain', ssoFormText.domainHint)}
      />
      {/* Both kinds stay mounted, so that a change of the kind loses no text. */}
      <div className={kind === 'oidc' ? 'contents' : 'hidden'}>
        <TextField
          {...draft.field('clientId')}
          label={ssoFormText.clientId}
          {...plain}
          {...note('clientId')}
        />
        <TextField
          name="clientSecret"
          type="password"
          label={ssoFormText.clientSecret}
          {...plain}
          {...note('clientSecret', ssoFormText.clientSecretHint)}
        />
      </div>
      <div className={kind === 'saml' ? 'contents' : 'hidden'}>
        <TextField
          {...draft.field('entryPoint')}
          label={ssoFormText.entryPoint}
          {...plain}
          {...note('entryPoint')}
        />
        <CertificateField {...draft.field('cert')} problem={at === 'cert' ? failure?.sentence : undefined} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={save.isPending}>
          {ssoFormText.submit}
        </Button>
        <Button type="button" variant="secondary" onClick={cancel}>
          {ssoText.cancel}
        </Button>
      </div>
    </form>
  )
}

function CertificateField({
  problem,
  ...field
}: ComponentProps<'textarea'> & { problem: string | undefined }) {
  const id = useId()
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium">
        {ssoFormText.cert}
      </label>
      <textarea
        {...field}
        id={id}
        rows={4}
        required
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        className={`${FIELD_STYLE} block py-2 font-mono text-xs ${problem ? 'ring-kumo-danger' : 'ring-kumo-line'}`}
      />
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-[13px] text-removed">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Returns the name of the field that the service refuses: `clientId` for `oidcConfig.clientId`. */
const fieldOf = (error: unknown) => describeFailure(error).field?.split('.').at(-1)

/** The fields that show their own error. */
const SSO_FIELDS = new Set(['issuer', 'domain', 'clientId', 'clientSecret', 'entryPoint', 'cert'])

function readInput(data: FormData, kind: SsoProtocol): SsoInput {
  const read = (name: string) => String(data.get(name) ?? '').trim()
  const common = { issuer: read('issuer'), domain: read('domain') }
  return kind === 'oidc'
    ? { ...common, oidcConfig: { clientId: read('clientId'), clientSecret: read('clientSecret') } }
    : { ...common, samlConfig: { entryPoint: read('entryPoint'), cert: read('cert') } }
}
