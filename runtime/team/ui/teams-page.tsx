import { useCallback, useEffect, useState } from 'react'
import { TEAMS_PATH } from '../../auth/invite-token.ts'
import { actionProblem } from '../../web/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { NameCard } from '../../ui/name-card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Link, navigate } from '../../web/navigation.tsx'
import { team } from '../client.ts'
import type { Team } from '../types.ts'
import { roleLabel } from './role-word.ts'

export const teamPageLink = (id: string): string => `${TEAMS_PATH}?team=${encodeURIComponent(id)}`

export function TeamsPage() {
  const [teams, setTeams] = useState<Team[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const load = useCallback(
    () => team.list().then(setTeams, (error: unknown) => setProblem(actionProblem(error).text)),
    [],
  )
  useEffect(() => void load(), [load])
  return (
    <Page title="Teams" description="People who share records.">
      {problem !== null && <Notice>{problem}</Notice>}
      {teams === null && problem === null && <Skeleton />}
      {teams !== null && (
        <Card title="Your teams">
          {teams.length === 0 ? (
            <p className="row-note">
              You are in no team yet. Create one, or open a link that a member sends you.
            </p>
          ) : (
            <ul className="rows">
              {teams.map((one) => (
                <li key={one.id} className="row">
                  <span>
                    <Link to={teamPageLink(one.id)}>{one.name}</Link>
                    <span className="row-note">
                      {one.members} {one.members === 1 ? 'member' : 'members'}
                    </span>
                  </span>
                  <Badge>{roleLabel(one.role)}</Badge>
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
      <NewTeam />
    </Page>
  )
}

function NewTeam() {
  const createTeam = async (name: string) => {
    const { id } = await team.create({ name })
    navigate(teamPageLink(id))
  }
  return <NameCard title="New team" label="Team name" submit="Create team" save={createTeam} />
}
