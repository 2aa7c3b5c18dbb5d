import { TEAMS_PATH } from '../../auth/invite-token.ts'
import { useUser } from '../../auth/ui/use-user.ts'
import { SignIn } from '../../auth/ui/sign-in.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link, usePath, useQueryParam } from '../../web/navigation.tsx'
import type { AccountComponents } from '../../web/people.ts'
import { JoinTeam } from './join-team.tsx'
import { TeamPage } from './team-page.tsx'
import { TeamsPage } from './teams-page.tsx'

/** Adds the page `/teams` and its menu entry, which every app with teams gets without any code in the app. */
export const withTeams = (people: AccountComponents): AccountComponents => ({
  ...people,
  Menu: () => (
    <>
      <TeamsEntry />
      <people.Menu />
    </>
  ),
  pages: { ...people.pages, [TEAMS_PATH]: Teams },
})

function TeamsEntry() {
  const user = useUser()
  const path = usePath()
  if (user === undefined || user === null) return null
  return (
    <Link to={TEAMS_PATH} className="shell-person" aria-current={path === TEAMS_PATH ? 'page' : undefined}>
      Teams
    </Link>
  )
}

/** Shows one team for `?team=`, an invitation for `?invite=`, otherwise all teams of the person. */
function Teams() {
  const user = useUser()
  const invite = useQueryParam('invite')
  const id = useQueryParam('team')
  if (user === undefined) return <Skeleton />
  if (user === null) return <SignIn invite={invite} />
  if (invite !== null) return <JoinTeam key={invite} token={invite} />
  return id === null ? <TeamsPage key={user.id} /> : <TeamPage key={id} id={id} userId={user.id} />
}
