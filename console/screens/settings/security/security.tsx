import { useQuery } from '@tanstack/react-query'
import { securityQuery } from '../../../api/organization/security.ts'
import { ssoQuery } from '../../../api/organization/sso.ts'
import { meQuery } from '../../../api/account/session.ts'
import { securityText } from '../../../text/security.en.ts'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { CardSkeleton } from '../card-list.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { PolicyForm } from './policy-form.tsx'
import { SsoSetup } from './sso-setup.tsx'

export function Security() {
  const policy = useQuery(securityQuery())
  const me = useQuery(meQuery()).data
  // Also wait for the identity provider: it is shown above the rules and would move them if it appeared later.
  const isPending = useQuery(ssoQuery()).isPending || policy.isPending
  return (
    <>
      <SettingsHeader title={securityText.title} lead={securityText.lead} />
      {isPending && <CardSkeleton />}
      <LoadFailure query={policy} />
      {!isPending && policy.data && me && (
        <>
          <SsoSetup me={me} isRequired={policy.data.requireSso} />
          <PolicyForm stored={policy.data} me={me} />
        </>
      )}
    </>
  )
}
