import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import {
  type ConnectedProvider,
  type ConnectionProfile,
  connectionsQuery,
  deleteConnection,
  startConnection,
} from '../../../api/organization/connections.ts'
import { href } from '../../../routes.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'

const { actions: words, providers } = connectionsText
const Confirm = lazy(() =>
  import('../../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const ConnectionToken = lazy(() =>
  import('./connection-token.tsx').then((module) => ({ default: module.ConnectionToken })),
)
const ConnectionAccounts = lazy(() =>
  import('./connection-accounts.tsx').then((module) => ({ default: module.ConnectionAccounts })),
)

/** Opens the provider's sign-in page, which redirects back here. */
export function SignInButton(props: {
  provider: ConnectedProvider
  profile: ConnectionProfile
  label: string
  reason: string | null
  isPrimary?: boolean
}) {
  const start = useMutation({
    mutationFn: () => startConnection(props.provider, props.profile, href.connections()),
    onSuccess: ({ url }) => location.assign(url),
  })
  const { reset } = start
  useEffect(() => {
    // Going back from the provider may restore this page from the back/forward cache, with the button still loading.
    const startAgain = ({ persisted }: PageTransitionEvent) => persisted && reset()
    addEventListener('pageshow', startAgain)
    return () => removeEventListener('pageshow', startAgain)
  }, [reset])
  return (
    <>
      <ReasonButton
        variant={props.isPrimary ? 'primary' : 'secondary'}
        size="sm"
        reason={props.reason}
        // Stays loading after success until the browser has left the page, to prevent a second sign-in.
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        {props.label}
      </ReasonButton>
      {start.isError && (
        <div className="basis-full">
          <FailureNote title={connectionsText.startFailed} error={start.error} takeFocus />
        </div>
      )}
    </>
  )
}

/**
 * Opens the form for an API token. With `isMove` the account of the token replaces the local cloud (the emulator of
 * Cloudflare on this machine), and the projects move to that account.
 */
export function TokenButton(props: { label: string; reason: string | null; isMove?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ReasonButton size="sm" reason={props.reason} onClick={() => setOpen(true)}>
        {props.label}
      </ReasonButton>
      {open && (
        <Suspense fallback={null}>
          <ConnectionToken isMove={props.isMove === true} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export function AccountButton(props: {
  label: string
  reason: string | null
  isPrimary: boolean
  startOpen: boolean
}) {
  const [open, setOpen] = useState(props.startOpen && props.reason === null)
  return (
    <>
      <ReasonButton
        size="sm"
        variant={props.isPrimary ? 'primary' : 'secondary'}
        reason={props.reason}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </ReasonButton>
      {open && (
        <Suspense fallback={null}>
          <ConnectionAccounts onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Removes a connection, after a dialog that names what stops working. */
export function DisconnectButton(props: {
  provider: ConnectedProvider
  reason: string | null
  onDone: (sentence: string) => void
}) {
  const { provider } = props
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const disconnect = useMutation({
    mutationFn: () => deleteConnection(provider),
    onSuccess: async ({ revoked }) => {
      await client.invalidateQueries({ queryKey: connectionsQuery().queryKey })
      const { disconnect: done } = connectionsText
      props.onDone((revoked ? done.revoked : done.kept)(providers[provider].name))
      setOpen(false)
    },
  })
  return (
    <>
      <ReasonButton
        size="sm"
        variant="secondary-destructive"
        reason={props.reason}
        onClick={() => setOpen(true)}
      >
        {words.disconnect}
      </ReasonButton>
      {open && (
        <Suspense fallback={null}>
          <Confirm
            title={providers[provider].disconnectTitle}
            consequence={providers[provider].disconnectConsequence}
            submit={connectionsText.disconnect.submit}
            busy={disconnect.isPending}
            error={disconnect.error}
            onConfirm={() => disconnect.mutate()}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
