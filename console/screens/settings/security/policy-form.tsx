import type { Me, SecurityPolicy } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { accountQuery } from '../../../api/account/auth.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { type Policy, securityQuery, updateSecurity } from '../../../api/organization/security.ts'
import { href } from '../../../routes.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { notify } from '../../../shell/toasts/toasts.ts'
import { type TypedFields, useDraftFields } from '../../../shell/use-draft-fields.ts'
import { securityText } from '../../../text/security.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { AddressField } from './address-field.tsx'
import { addressProblem, consequencesOf, policyOf, readAddresses, endsSessions } from './policy.ts'
import { LifetimeSelect, Switch } from './policy-fields.tsx'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

type EditedRules = Partial<Omit<Policy, 'allowedIps'>>

/** What the person changed. `typed` has the unparsed text of the field for `allowedIps`. */
interface EditedPolicy {
  rules: EditedRules
  typed: TypedFields
}

/** Returns the stored policy with the changes of the person. */
function policyWith(stored: SecurityPolicy, { rules, typed }: EditedPolicy): Policy {
  const addresses = typed['addresses']?.text
  const allowedIps = addresses === undefined ? stored.allowedIps : readAddresses(addresses)
  return { ...policyOf(stored), ...rules, allowedIps }
}

/**
 * Edits the rules of an organization. A refetch changes only the rules that the person did not change. Typed addresses survive a reload.
 * Switches do not, because one press sets them again.
 */
export function PolicyForm({ stored, me }: { stored: SecurityPolicy; me: Me }) {
  const client = useQueryClient()
  const account = useQuery(accountQuery()).data
  const [rules, setRules] = useState<EditedRules>({})
  const draft = useDraftFields('policy', '', { addresses: stored.allowedIps.join('\n') })
  const edited = { rules, typed: draft.typed }
  const [asked, setAsked] = useState<string[] | null>(null)
  const next = policyWith(stored, edited)
  const { requireSso, requireTwoFactor, sessionLifetimeDays, anyPackages } = next
  const save = useMutation({
    mutationFn: async (sent: EditedPolicy) => {
      // All rules are saved together. Read the stored ones first, so that a rule changed by another admin is not changed back.
      const before = await client.fetchQuery({ ...securityQuery(), staleTime: 0, networkMode: 'always' })
      const wanted = policyWith(before, sent)
      return { saved: await updateSecurity(wanted), hasEndedSessions: endsSessions(before, wanted) }
    },
    onSettled: () => setAsked(null),
    onSuccess: async ({ saved, hasEndedSessions }, sent) => {
      if (hasEndedSessions) {
        // Saving a stricter policy ends all sessions, including the caller's.
        draft.place.store('')
        client.clear()
        location.assign(href.signIn(href.security()))
        return
      }
      client.setQueryData(queryKeys.security, saved)
      // Keep changes that were made while the request ran, because they are not saved yet.
      setRules((now) => (now === sent.rules ? {} : now))
      draft.forget(sent.typed)
      notify(securityText.saved)
    },
  })
  const failure = save.isError ? describeFailure(save.error) : null
  // The error has the position of an address in the list that was sent. The person may have edited the list since.
  const problem = addressProblem(failure, policyWith(stored, save.variables ?? edited).allowedIps)
  const mayNot = me.role === 'member' ? securityText.managers : null
  const isChanged = JSON.stringify(next) !== JSON.stringify(policyOf(stored))
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (mayNot || !isChanged) return
    const consequences = consequencesOf(
      stored,
      next,
      account === undefined || account.user.twoFactorEnabled === true,
    )
    if (consequences.length > 0) setAsked(consequences)
    else save.mutate(edited)
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {mayNot && <p className="text-[13px] text-kumo-subtle">{mayNot}</p>}
      {save.isError && problem === undefined && (
        <FailureNote title={securityText.failed} error={save.error} takeFocus />
      )}
      <FormDraftNote draft={draft} labels={{ addresses: securityText.addresses.label }} />
      <div className="divide-y divide-kumo-hairline rounded-xl bg-kumo-base ring-1 ring-kumo-line">
        <Switch
          label={securityText.twoFactor.label}
          hint={securityText.twoFactor.hint}
          checked={requireTwoFactor}
          disabled={mayNot !== null}
          onChange={(on) => setRules({ ...rules, requireTwoFactor: on })}
        />
        <Switch
          label={securityText.sso.label}
          hint={securityText.sso.hint}
          note={stored.ssoReady ? undefined : ssoNote(me)}
          checked={requireSso}
          // A rule that is on can be switched off even without a working identity provider.
          disabled={mayNot !== null || !(stored.ssoReady || requireSso)}
          onChange={(on) => setRules({ ...rules, requireSso: on })}
        />
        <LifetimeSelect
          value={sessionLifetimeDays}
          disabled={mayNot !== null}
          onChange={(days) => setRules({ ...rules, sessionLifetimeDays: days })}
        />
        <AddressField
          value={draft.textOf('addresses')}
          own={stored.callerAddress}
          disabled={mayNot !== null}
          problem={problem}
          onChange={(addresses) => draft.write({ addresses })}
        />
        <Switch
          label={securityText.anyPackages.label}
          hint={securityText.anyPackages.hint}
          checked={anyPackages}
          disabled={mayNot !== null}
          onChange={(on) => setRules({ ...rules, anyPackages: on })}
        />
      </div>
      <ReasonButton
        type="submit"
        variant="primary"
        loading={save.isPending}
        reason={mayNot ?? (isChanged ? null : securityText.unchanged)}
      >
        {securityText.submit}
      </ReasonButton>
      {asked && (
        <Suspense fallback={null}>
          <Confirm
            title={securityText.confirmTitle}
            consequence={asked.join(' ')}
            submit={securityText.confirmSubmit[endsSessions(stored, next) ? 'signsOut' : 'other']}
            busy={save.isPending}
            error={null}
            onConfirm={() => save.mutate(edited)}
            onClose={() => setAsked(null)}
          />
        </Suspense>
      )}
    </form>
  )
}

const ssoNote = ({ plan }: Me) =>
  plan === 'enterprise' ? securityText.sso.notReady : securityText.sso.notInPlan
