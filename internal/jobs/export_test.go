package jobs

import (
	"context"
	"log/slog"
)

// Run is run by itself.
func Run(ctx context.Context, log *slog.Logger, list []Job) { run(ctx, log, list, &outcomes{}) }
