"""Runs the original executor on the benchmark's workload: a JSON command a line, an answer a line."""

import importlib.util
import json
import sys
import time
from datetime import datetime


def load(path):
    spec = importlib.util.spec_from_file_location("original", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["original"] = module
    spec.loader.exec_module(module)
    return module


original = load(sys.argv[1])
executors = {}


def executor_of(path):
    if path not in executors:
        executors[path] = original.SelfHealingExecutor(persistence_path=path + ".original")
    return executors[path]


def read(question):
    points = [
        original.PostMetricsPoint(
            datetime.fromisoformat(point["timestamp"]), point["impressions"], point["engagements"]
        )
        for point in question["metrics"]
    ]
    return question["post_id"], points, datetime.fromisoformat(question["now"])


def persist(executor, question):
    post_id, points, now = question
    key = executor.evaluate_and_plan(post_id, points, now)["idempotency_key"]
    edit, tier = original.ActionType.EDIT, original.ActionTier.TIER_2
    executor.persist_outcome(post_id, edit, tier, key, "failed", None, "timeout", now)


def run(command):
    executor = executor_of(command["path"])
    if command["do"] == "answer":
        return executor.evaluate_and_plan(*read(command["question"]))
    questions = [read(question) for question in command["questions"]]
    count = command["count"]
    # As on the other side: evaluating is processor time, persisting includes the disk.
    if command["do"] == "persist":
        started = time.perf_counter()
        for _ in range(count):
            persist(executor, questions[0])
        return (time.perf_counter() - started) / count * 1e9
    started = time.process_time()
    for index in range(count):
        executor.evaluate_and_plan(*questions[index % len(questions)])
    return (time.process_time() - started) / count * 1e9


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
