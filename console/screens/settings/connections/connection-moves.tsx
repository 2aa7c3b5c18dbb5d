import type { ListMovesResponse } from '@slipway/sdk/client/types.gen.ts'
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { movesQuery } from '../../../api/organization/connections.ts'
import { shipProject } from '../../../api/project/deployments.ts'
import { href } from '../../../routes.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'
import { Card } from '../card-list.tsx'

const { moves: words } = connectionsText
type ListedMove = ListMovesResponse['data'][number]

const SHIP_MOVE_KEY = ['ship a move']

/**
 * Lists the projects that still run in the local cloud (the emulator of Cloudflare on this machine) although another
 * account is connected. Renders nothing when there are none.
 */
export function ConnectionMoves({ reason }: { reason: string | null }) {
  // The request that deploys a project to the new account may take minutes. Meanwhile poll the list, which shows the progress.
  const isShipping = useIsMutating({ mutationKey: SHIP_MOVE_KEY }) > 0
  const moves = useQuery({ ...movesQuery(), ...(isShipping && { refetchInterval: 1000 }) })
  if (!moves.data || moves.data.length === 0) return null
  return (
    <Card>
      <h2 className="font-medium text-kumo-strong">{words.title}</h2>
      <p className="text-[13px] text-kumo-subtle">{words.lead}</p>
      <ul className="mt-3 divide-y divide-kumo-line border-t border-kumo-line">
        {moves.data.map((move) => (
          <MoveRow key={move.projectId} move={move} reason={reason} />
        ))}
      </ul>
    </Card>
  )
}

function MoveRow({ move, reason }: { move: ListedMove; reason: string | null }) {
  const client = useQueryClient()
  const ship = useMutation({
    mutationKey: SHIP_MOVE_KEY,
    mutationFn: () => shipProject(move.projectId),
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 last:pb-0">
      <div className="min-w-0">
        <Link
          to={href.ship(move.projectId)}
          className="font-medium break-words text-kumo-strong hover:underline"
        >
          {move.projectName}
        </Link>
        <p className="text-[13px] text-kumo-subtle">{describeMove(move)}</p>
      </div>
      {move.state === 'waiting' && (
        <ReasonButton
          size="sm"
          variant="primary"
          reason={reason ?? (move.canShip ? null : words.cannotShip)}
          loading={ship.isPending}
          onClick={() => ship.mutate()}
        >
          {words.ship}
        </ReasonButton>
      )}
      {ship.isError && (
        <div className="basis-full">
          <FailureNote title={words.failed} error={ship.error} takeFocus />
        </div>
      )}
    </li>
  )
}

function describeMove({ state, liveData, records, files, problem }: ListedMove): string {
  if (state === 'moving') return words.moving(records, files)
  if (state === 'removing') return problem === null ? words.removing : words.stuck(problem)
  return liveData === 'copy' ? words.waiting : words.waitingEmpty
}
