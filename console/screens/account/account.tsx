import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../api/account/auth.ts'
import { href } from '../../routes.ts'
import { accountText } from '../../text/account.en.ts'
import { deletionText } from '../../text/deletion.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { Appearance } from './appearance.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Box, Section } from './section.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactorSettings } from './two-factor.tsx'

export function Account() {
  usePageTitle(accountText.title)
  const account = useQuery(accountQuery())
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <div className="mb-8 space-y-1">
        <PageHeading>{accountText.title}</PageHeading>
        <p className="text-kumo-subtle">{accountText.lead}</p>
      </div>
      {account.isPending && <AccountSkeleton />}
      <LoadFailure query={account} />
      {account.data && (
        <div>
          <Profile user={account.data.user} />
          <Password email={account.data.user.email} />
          <TwoFactorSettings isOn={account.data.user.twoFactorEnabled === true} />
          <Passkeys />
          <Sessions currentToken={account.data.session.token} />
          <Appearance />
          <DeleteAccount />
        </div>
      )}
    </div>
  )
}

function AccountSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-8">
        {[1, 2, 3].map((row) => (
          <div key={row} className="grid gap-x-10 gap-y-3 md:grid-cols-[15rem_1fr]">
            <Bar className="h-5 w-32" />
            <div className="h-28 rounded-xl bg-kumo-base ring-1 ring-kumo-line" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}

function DeleteAccount() {
  return (
    <Section title={deletionText.section} lead={deletionText.sectionLead}>
      <Box>
        <a href={href.deletion()} className="font-medium text-kumo-link underline underline-offset-3">
          {deletionText.open}
        </a>
      </Box>
    </Section>
  )
}
