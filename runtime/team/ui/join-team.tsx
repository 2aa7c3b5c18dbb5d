import { useAction } from '../../web/use-action.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { showToast } from '../../ui/toast.tsx'
import { navigate } from '../../web/navigation.tsx'
import { team } from '../client.ts'
import { TEAMS_PATH } from '../../auth/invite-token.ts'
import { teamPageLink } from './teams-page.tsx'

/** The page that an invitation link opens. Joining requires a click, so that a program that follows links does not use up an invitation. */
export function JoinTeam({ token }: { token: string }) {
  const joining = useAction(async () => {
    const joined = await team.accept(token)
    showToast(`You are in ${joined.name}`)
    navigate(teamPageLink(joined.id), { replace: true })
  })
  return (
    <Page
      title="You are invited to a team"
      description="Its members see each other's names and share records."
    >
      <Card>
        {joining.problem !== null && <Notice>{joining.problem.text}</Notice>}
        <div className="form-actions">
          <Button kind="primary" busy={joining.busy} onClick={joining.run}>
            Join the team
          </Button>
          <LinkButton to={TEAMS_PATH}>Not now</LinkButton>
        </div>
      </Card>
    </Page>
  )
}
