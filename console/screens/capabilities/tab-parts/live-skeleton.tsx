import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'

export function LiveSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-4 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="flex gap-6">
            <Bar className="w-1/4" />
            <Bar className="w-1/2" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
