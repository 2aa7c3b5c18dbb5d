import { useUser } from '../../auth/ui/use-user.ts'
import { SignIn } from '../../auth/ui/sign-in.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link, usePath, useQueryParam } from '../../web/navigation.tsx'
import type { People } from '../../web/people.ts'
import { JoinTeam } from './join-team.tsx'
import { TeamPage } from './team-page.tsx'
import { TEAMS_PATH, TeamsPage } from './teams-page.tsx'

/** What an app with teams gets without a line of its own: the page `/teams`, and an entry in the menu. */
export const withTeams = (people: People): People => ({
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

/** `?team=` shows one team, `?invite=` an invitation, otherwise all teams of the person. */
function Teams() {
  const user = useUser()
  const invite = useQueryParam('invite')
  const id = useQueryParam('team')
  if (user === undefined) return <Skeleton />
  if (user === null) return <SignIn invite={invite} />
  if (invite !== null) return <JoinTeam key={invite} token={invite} />
  return id === null ? <TeamsPage key={user.id} /> : <TeamPage key={id} id={id} userId={user.id} />
}
