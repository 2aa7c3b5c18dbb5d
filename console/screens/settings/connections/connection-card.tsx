import type { ReactNode } from 'react'
import type { Connections } from '@slipway/sdk/client/types.gen.ts'
import type { ConnectedProvider } from '../../../api/organization/connections.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { Card } from '../card-list.tsx'
import { ConnectionCeilings } from './connection-ceilings.tsx'
import { ConnectionScopes } from './connection-scopes.tsx'
import { AccountButton, DisconnectButton, SignInButton, TokenButton } from './connection-actions.tsx'

const { actions, providers, replace } = connectionsText
const STATUS_TONES: Record<Connections['cloudflare']['status'], StateTone> = {
  connected: 'good',
  needs_reconnect: 'bad',
  none: 'quiet',
}

export function ConnectionCard(props: {
  provider: ConnectedProvider
  icon: ReactNode
  connection: Connections['cloudflare'] | Connections['github']
  facts: [name: string, value: string][]
  /** The label of the account button: `choose` while no cloud account is chosen, `change` to choose another. */
  account?: 'choose' | 'change'
  startChoosing: boolean
  reason: string | null
  onDisconnected: (sentence: string) => void
}) {
  const { provider, connection, reason, account } = props
  const { status, profile, signIns } = connection
  const words = providers[provider]
  const isRefused = status === 'needs_reconnect'
  const isLocal = profile === 'local'
  const method = 'method' in connection ? connection.method : null
  const missing = isRefused ? [] : connection.missingScopes
  // A connection that the provider no longer accepts, or that lacks scopes, can be renewed only the way it was made: with the same kind of
  // sign-in (`profile`), or with another API token.
  const again = status === 'none' ? signIns : signIns.filter((name) => name === profile)
  const needsSignIn = status === 'none' || isRefused || missing.length > 0
  return (
    <Card>
      <div className="flex items-start gap-3.5">
        <span
          className="grid size-9 shrink-0 place-items-center rounded-lg bg-kumo-fill [&_svg]:size-5"
          aria-hidden="true"
        >
          {props.icon}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h2 className="font-medium text-kumo-strong">{words.name}</h2>
            <span className="text-[13px]">
              <StateDot tone={STATUS_TONES[status]}>{connectionsText.states[status]}</StateDot>
            </span>
          </div>
          <p className="text-[13px] text-kumo-subtle">{isLocal ? words.local : words.hint}</p>
          <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-[13px] empty:hidden">
            {props.facts.map(([name, value]) => (
              <div key={name} className="flex min-w-0 gap-1.5">
                <dt className="shrink-0 text-kumo-subtle">{name}</dt>
                <dd className="min-w-0 break-words">{value}</dd>
              </div>
            ))}
          </dl>
          {isRefused && (
            <p role="alert" className="mt-3 rounded-lg bg-kumo-danger-tint px-3.5 py-2.5">
              {connectionsText.refused(words.name)}
            </p>
          )}
          {account === 'choose' && <p className="mt-3">{connectionsText.notChosen}</p>}
          {status !== 'none' && (
            <ConnectionScopes held={connection.scopes} missing={missing} method={method} />
          )}
          {provider === 'cloudflare' && status === 'connected' && !isLocal && <ConnectionCeilings />}
          <div className="mt-3 flex flex-wrap gap-2">
            {account && (
              <AccountButton
                label={actions[account]}
                reason={reason}
                isPrimary={account === 'choose'}
                startOpen={props.startChoosing && account === 'choose'}
              />
            )}
            {needsSignIn &&
              method !== 'token' &&
              again.map((name, index) => (
                <SignInButton
                  key={name}
                  provider={provider}
                  profile={name}
                  label={signInLabel(provider, name, status !== 'none')}
                  reason={reason}
                  isPrimary={index === 0 && account !== 'choose'}
                />
              ))}
            {provider === 'cloudflare' && (status === 'none' || (needsSignIn && method === 'token')) && (
              <TokenButton label={status === 'none' ? actions.paste : actions.replaceToken} reason={reason} />
            )}
            {status !== 'none' && (
              <DisconnectButton provider={provider} reason={reason} onDone={props.onDisconnected} />
            )}
          </div>
          {isLocal && (
            <ReplaceLocal provider={provider} canSignIn={signIns.includes('real')} reason={reason} />
          )}
        </div>
      </div>
    </Card>
  )
}

function ReplaceLocal(props: { provider: ConnectedProvider; canSignIn: boolean; reason: string | null }) {
  const { provider, canSignIn, reason } = props
  const withToken = provider === 'cloudflare'
  return (
    <div className="mt-4 border-t border-kumo-line pt-3">
      <h3 className="text-[13px] font-medium text-kumo-strong">
        {withToken ? replace.moveTitle : replace.title}
      </h3>
      <p className="mt-0.5 text-[13px] text-kumo-subtle">
        {withToken
          ? `${replace.moves} ${canSignIn ? replace.cloudflare : replace.tokenOnly}`
          : canSignIn
            ? replace.github
            : replace.githubClosed}
      </p>
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
        {canSignIn && (
          <SignInButton
            provider={provider}
            profile="real"
            label={actions.signIn(providers[provider].name)}
            reason={reason}
          />
        )}
        {withToken && <TokenButton label={replace.moveTitle} reason={reason} isMove />}
      </div>
    </div>
  )
}

function signInLabel(provider: ConnectedProvider, profile: 'local' | 'real', isAgain: boolean): string {
  if (isAgain) return actions.reconnect
  const { name, localName } = providers[provider]
  return profile === 'local' ? actions.connectLocal(localName) : actions.signIn(name)
}
