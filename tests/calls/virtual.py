"""An event loop whose time is a number: nothing happens in it but what its owner lets happen."""

import asyncio
import heapq
import itertools
from collections import deque


class VirtualLoop(asyncio.AbstractEventLoop):
    """Runs what is ready when told, and timers when their time is set; never waits for anything."""

    def __init__(self, now):
        self.now = now
        self._ready = deque()
        self._timers = []
        self._order = itertools.count()

    def run_ready(self):
        """Everything that can run without a store or time moving on."""
        asyncio._set_running_loop(self)
        try:
            while self._ready:
                handle = self._ready.popleft()
                if not handle.cancelled():
                    handle._run()
        finally:
            asyncio._set_running_loop(None)

    def advance(self, now):
        """Set the time; the timers it passes become ready."""
        self.now = now
        while self._timers and self._timers[0][0] <= now:
            self._ready.append(heapq.heappop(self._timers)[2])

    def timers(self):
        """When something happens by itself."""
        return [when for when, _, handle in self._timers if not handle.cancelled()]

    # ---- what tasks, futures and timeouts ask of a loop

    def time(self):
        return self.now

    def get_debug(self):
        return False

    def create_future(self):
        return asyncio.Future(loop=self)

    def create_task(self, coroutine, **options):
        return asyncio.Task(coroutine, loop=self, **options)

    def call_soon(self, callback, *arguments, context=None):
        handle = asyncio.Handle(callback, arguments, self, context)
        self._ready.append(handle)
        return handle

    def call_later(self, delay, callback, *arguments, context=None):
        return self.call_at(self.now + delay, callback, *arguments, context=context)

    def call_at(self, when, callback, *arguments, context=None):
        handle = asyncio.TimerHandle(when, callback, arguments, self, context)
        heapq.heappush(self._timers, (when, next(self._order), handle))
        return handle

    def _timer_handle_cancelled(self, handle):
        """A cancelled timer is skipped when its time comes."""

    def call_exception_handler(self, context):
        """A process that was killed leaves its task behind: that is no news here."""
