import type { Me, SsoProvider } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { removeSso, ssoQuery, verifySsoDomain } from '../../../api/organization/sso.ts'
import { ssoText } from '../../../text/sso.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { StateDot } from '../../../ui/page/state-dot.tsx'
import { SsoForm } from './sso-form.tsx'
import { entryOf } from '../../../lib/fields.ts'

const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

type StepState = keyof typeof ssoText.state

/**
 * Sets up single sign-on in three steps: connect the identity provider, verify the domains, require single sign-on for
 * members.
 */
export function SsoSetup({ me, isRequired }: { me: Me; isRequired: boolean }) {
  const query = useQuery(ssoQuery())
  const [isEditing, setEditing] = useState(false)
  const mayNot = me.role === 'member' ? ssoText.managers : null
  const provider = query.data ?? null
  return (
    <section aria-labelledby="sso" className="mb-6 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
      <h2 id="sso" className="font-medium text-kumo-strong">
        {ssoText.title}
      </h2>
      <p className="mt-0.5 mb-3 text-[13px] text-kumo-subtle">{ssoText.lead}</p>
      {query.isError && <FailureNote error={query.error} onRetry={() => void query.refetch()} />}
      {isEditing ? (
        <SsoForm replaces={provider !== null} onClose={() => setEditing(false)} />
      ) : provider === null ? (
        <NoProvider me={me} reason={mayNot} onStart={() => setEditing(true)} />
      ) : (
        <SetupSteps
          provider={provider}
          isRequired={isRequired}
          mayChange={mayNot === null}
          onReplace={() => setEditing(true)}
        />
      )}
    </section>
  )
}

function NoProvider({ me, reason, onStart }: { me: Me; reason: string | null; onStart: () => void }) {
  const refusal = me.plan === 'enterprise' ? reason : ssoText.notInPlan
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-[13px]">
        {ssoText.none} {refusal}
      </p>
      {refusal === null && (
        <Button variant="secondary" onClick={onStart}>
          {ssoText.start}
        </Button>
      )}
    </div>
  )
}

function SetupSteps(props: {
  provider: SsoProvider
  isRequired: boolean
  mayChange: boolean
  onReplace: () => void
}) {
  const { provider, isRequired, mayChange } = props
  const proof: StepState = provider.domainVerified ? 'done' : 'next'
  const rule: StepState = isRequired ? 'done' : provider.domainVerified ? 'next' : 'later'
  const { redirectUri, acsUrl, entityId } = provider
  return (
    <>
      <ol className="space-y-4">
        <SetupStep title={ssoText.steps.connect} state="done">
          <p className="break-all">{ssoText.connected(provider.kind, provider.issuer)}</p>
          <p className="text-kumo-subtle">{ssoText.enterThere}</p>
          {Object.entries({ redirectUri, acsUrl, entityId }).map(
            ([name, value]) =>
              value !== null && (
                <CopyableValue key={name} label={entryOf(ssoText.values, name) ?? name} value={value} />
              ),
          )}
        </SetupStep>
        <SetupStep title={ssoText.steps.prove} state={proof}>
          {provider.domainVerified ? (
            <p>{ssoText.prove.done}</p>
          ) : (
            <DomainProof provider={provider} mayChange={mayChange} />
          )}
        </SetupStep>
        <SetupStep title={ssoText.steps.require} state={rule}>
          <p>{isRequired ? ssoText.require.done : ssoText.require[rule === 'next' ? 'hint' : 'later']}</p>
        </SetupStep>
      </ol>
      {mayChange && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="sm" variant="secondary" onClick={props.onReplace}>
            {ssoText.replace}
          </Button>
          <RemoveProvider />
        </div>
      )}
    </>
  )
}

function SetupStep({ title, state, children }: { title: string; state: StepState; children: ReactNode }) {
  const tone = state === 'done' ? 'good' : state === 'next' ? 'ask' : 'quiet'
  return (
    <li className="space-y-1.5 text-[13px]" aria-current={state === 'next' ? 'step' : undefined}>
      <h3 className="flex flex-wrap items-center gap-x-3 font-medium text-kumo-strong">
        {title}
        <span className="font-normal">
          <StateDot tone={tone}>{ssoText.state[state]}</StateDot>
        </span>
      </h3>
      {children}
    </li>
  )
}

function DomainProof({ provider, mayChange }: { provider: SsoProvider; mayChange: boolean }) {
  const client = useQueryClient()
  const verify = useMutation({
    mutationFn: verifySsoDomain,
    onSuccess: () =>
      Promise.all(
        [queryKeys.sso, queryKeys.security].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  })
  return (
    <>
      <p className="text-kumo-subtle">{ssoText.prove.hint}</p>
      {provider.txt.map(({ domain, name, value, isVerified }) =>
        isVerified ? (
          <p key={domain}>{ssoText.prove.verified(domain)}</p>
        ) : (
          <div key={domain} className="space-y-1.5">
            <CopyableValue label={ssoText.prove.name(domain)} value={name} />
            <CopyableValue label={ssoText.prove.value(domain)} value={value} />
          </div>
        ),
      )}
      {verify.isError && <FailureNote title={ssoText.verifyFailed} error={verify.error} takeFocus />}
      <p role="status">{verify.data?.domainVerified === false && ssoText.prove.missing}</p>
      {mayChange && (
        <Button variant="primary" loading={verify.isPending} onClick={() => verify.mutate()}>
          {ssoText.prove.check}
        </Button>
      )}
    </>
  )
}

function CopyableValue({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-start gap-2 rounded-lg bg-kumo-recessed px-3 py-2">
      <p className="min-w-0 flex-1">
        <span className="block text-kumo-subtle">{label}</span>
        <code className="font-mono text-xs break-all">{value}</code>
      </p>
      <CopyButton value={value} label={ssoText.copy(label)} />
    </div>
  )
}

function RemoveProvider() {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: removeSso,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.security })
      await client.invalidateQueries({ queryKey: queryKeys.sso })
    },
  })
  return (
    <>
      <Button size="sm" variant="secondary-destructive" onClick={() => setAsked(true)}>
        {ssoText.remove}
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <Confirm
            title={ssoText.removeTitle}
            consequence={ssoText.removeConsequence}
            submit={ssoText.removeSubmit}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </>
  )
}
