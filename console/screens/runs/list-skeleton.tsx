import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'

export function ListSkeleton() {
  return (
    <Skeleton>
      <div className="divide-y divide-kumo-line rounded-xl ring-1 ring-kumo-line">
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="space-y-2.5 px-4 py-4">
            <Bar className="w-2/5" />
            <Bar className="h-3! w-3/5" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
