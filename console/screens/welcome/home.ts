import { connectionsQuery, modelConnectionsQuery } from '../../api/organization/connections.ts'
import { projectsQuery } from '../../api/project/projects.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { meQuery } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { closeWelcome, isWelcomeClosed } from './closing.ts'
import { cloudStep, isWelcomeComplete, modelStep, sentenceStep } from './steps.ts'

/** The page that `/` opens: the welcome page until it is completed or closed, afterwards the projects page. */
export async function homePath(): Promise<string> {
  const { user, organization } = await queryClient.ensureQueryData(meQuery())
  if (user === null || isWelcomeClosed(user.id, organization.id)) return href.projects()
  try {
    const [connections, models, projects] = await Promise.all([
      queryClient.ensureQueryData(connectionsQuery()),
      queryClient.ensureQueryData(modelConnectionsQuery()),
      queryClient.ensureInfiniteQueryData(projectsQuery()),
    ])
    const isOver = isWelcomeComplete({
      cloud: cloudStep(connections.cloudflare),
      model: modelStep(models),
      sentence: sentenceStep(projects.pages[0]?.items[0]),
    })
    if (!isOver) return href.welcome()
    closeWelcome(user.id, organization.id)
  } catch {
    // Ignore the error: the projects page fails in the same way and shows it.
  }
  return href.projects()
}
